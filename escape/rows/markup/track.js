// The subtitles of a video.
export default async (t) => {
  const video = document.createElement('video')
  const track = document.createElement('track')
  const done = t.settled(track)
  video.crossOrigin = 'anonymous'
  track.default = true
  track.src = t.http('track.vtt')
  video.append(track)
  document.body.append(video)
  track.track.mode = 'hidden'
  await done
}
