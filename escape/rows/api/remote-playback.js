// A video that is to play on a device in the network, which looks for devices first.
// @gesture: click
// @control: none, there is no device
export default async (t) => {
  await t.gesture()
  const video = document.createElement('video')
  video.src = t.http('remote.mp4#t=0')
  video.preload = 'none'
  document.body.append(video)
  await Promise.any([video.remote.watchAvailability(() => {}), video.remote.prompt()])
}
