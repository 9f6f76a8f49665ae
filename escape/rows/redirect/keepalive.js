// A request with keepalive that is redirected when its page is gone.
// @control: seldom in chromium, it mostly follows no redirect for a page that is gone
export default async (t) => {
  const frame = await t.frame((frame) => {
    frame.srcdoc = `<script>addEventListener('pagehide', () => fetch('${t.redirect(t.http('keepalive'))}', { keepalive: true, mode: 'no-cors' }))</script>`
  })
  const done = t.settled(frame)
  frame.srcdoc = 'gone'
  await done
}
