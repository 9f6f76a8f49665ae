// A video's source element.
export default async (t) => {
  const video = document.createElement('video')
  const source = document.createElement('source')
  const done = t.settled(source)
  video.preload = 'auto'
  source.src = t.http('source.webm')
  video.append(source)
  document.body.append(video)
  await Promise.race([done, t.settled(video, 'loadedmetadata')])
}
