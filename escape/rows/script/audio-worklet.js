// The module of an audio worklet.
export default async (t) => {
  await new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule(t.http('audio.js'))
}
