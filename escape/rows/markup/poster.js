// The picture that stands for a video.
export default (t) => {
  const video = document.createElement('video')
  video.poster = t.http('poster.png')
  document.body.append(video)
}
