// The artwork that the browser would show for what plays.
// @gesture: click
export default async (t) => {
  await t.gesture() // or nothing plays
  navigator.mediaSession.metadata = new MediaMetadata({ title: 'secret', artwork: [{ src: t.http('artwork.png'), sizes: '96x96', type: 'image/png' }] })
  navigator.mediaSession.playbackState = 'playing'
  const wave = new Uint8Array(44 + 80_000) // ten seconds of silence, 8 bits at 8 kHz
  const view = new DataView(wave.buffer)
  wave.set(new TextEncoder().encode('RIFF    WAVEfmt '))
  for (const [at, value] of [[4, 36 + 80_000], [16, 16], [24, 8000], [28, 8000], [40, 80_000]]) view.setUint32(at, value, true)
  for (const [at, value] of [[20, 1], [22, 1], [32, 1], [34, 8]]) view.setUint16(at, value, true)
  wave.set(new TextEncoder().encode('data'), 36)
  await new Audio(URL.createObjectURL(new Blob([wave.fill(128, 44)], { type: 'audio/wav' }))).play()
}
