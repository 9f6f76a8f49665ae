// An audio worklet whose module is in a blob and imports another.
export default async (t) => {
  await new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule(t.module(`import '${t.http('audio.js')}'`))
}
