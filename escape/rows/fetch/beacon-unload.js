// A beacon of a frame that is just leaving its page.
// @control: seldom in chromium, the worker has to pass it on and the page is gone by then
export default async (t) => {
  const frame = await t.frame((frame) => {
    frame.srcdoc = `<script>addEventListener('pagehide', () => navigator.sendBeacon('${t.http('unload')}', 'secret'))</script>`
  })
  const done = t.settled(frame)
  frame.srcdoc = 'gone'
  await done
}
