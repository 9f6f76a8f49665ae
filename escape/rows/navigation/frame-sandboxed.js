// A sandboxed srcdoc frame, whose origin is opaque, that navigates itself.
export default async (t) => {
  const frame = await t.frame((frame) => {
    frame.sandbox = 'allow-scripts'
    frame.srcdoc = `<script>onload = () => setTimeout(() => { location = '${t.http('sandboxed')}' })</script>`
  })
  await t.settled(frame)
}
