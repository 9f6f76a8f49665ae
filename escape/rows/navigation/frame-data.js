// A data: frame, whose origin is opaque, that navigates itself.
export default async (t) => {
  const frame = await t.frame((frame) => {
    frame.src = `data:text/html,${encodeURIComponent(`<script>onload = () => setTimeout(() => { location = '${t.http('data')}' })</script>`)}`
  })
  await t.settled(frame)
}
