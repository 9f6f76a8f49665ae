// A play list of an allowed host, whose segments and keys are elsewhere.
// @control: none in firefox webkit, they play no HLS lists here
export default async (t) => {
  const body = `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:METHOD=AES-128,URI="${t.http('key')}"\n#EXTINF:1,\n${t.http('segment.ts')}\n#EXT-X-ENDLIST\n`
  const video = document.createElement('video')
  const done = t.settled(video, 'loadedmetadata')
  video.preload = 'auto'
  video.src = t.allowed(`answer?${new URLSearchParams({ type: 'application/vnd.apple.mpegurl', body })}`)
  document.body.append(video)
  await done
}
