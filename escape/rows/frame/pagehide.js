// What a frame sends while it is removed: a keepalive request and a beacon.
// @control: seldom, the request often ends with the frame before it leaves
export default async (t) => {
  const frame = document.createElement('iframe')
  const loaded = new Promise((resolve) => { frame.onload = resolve })
  frame.srcdoc = `<script>
    onpagehide = () => {
      fetch('${t.http('keepalive')}', { mode: 'no-cors', keepalive: true })
      navigator.sendBeacon('${t.http('beacon')}')
    }
  </script>`
  document.body.append(frame)
  await loaded
  frame.remove()
}
