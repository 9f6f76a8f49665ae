// A video that is redirected.
export default async (t) => {
  const video = document.createElement('video')
  const done = t.settled(video, 'loadedmetadata')
  video.preload = 'auto'
  video.src = t.redirect(t.http('video.mp4'))
  document.body.append(video)
  await done
}
