// Subtitles that are preloaded and never shown.
// @control: none in firefox, it preloads no subtitles
export default async (t) => {
  const link = document.createElement('link')
  const done = t.settled(link)
  link.rel = 'preload'
  link.as = 'track'
  link.href = t.http('preload.vtt')
  document.head.append(link)
  await done
}
