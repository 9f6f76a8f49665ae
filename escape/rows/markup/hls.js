// A play list in a blob, whose segments and keys are elsewhere.
// @control: none in firefox webkit, they play no HLS lists here
export default async (t) => {
  const list = `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:METHOD=AES-128,URI="${t.http('key')}"\n#EXTINF:1,\n${t.http('segment.ts')}\n#EXT-X-ENDLIST\n`
  const video = document.createElement('video')
  const done = t.settled(video, 'loadedmetadata')
  video.preload = 'auto'
  video.src = URL.createObjectURL(new Blob([list], { type: 'application/vnd.apple.mpegurl' }))
  document.body.append(video)
  await done
}
