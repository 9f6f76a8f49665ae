// A fetch with keepalive, made by a frame that is just being removed.
// @control: seldom in chromium, the worker has to pass it on and the page is gone by then
export default async (t) => {
  const frame = await t.frame((frame) => {
    frame.srcdoc = `<script>
      addEventListener('pagehide', () => fetch('${t.http('unload')}', { method: 'POST', body: 'secret', keepalive: true, mode: 'no-cors' }))
    </script>`
  })
  frame.remove()
}
