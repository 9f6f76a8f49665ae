// The module of an audio worklet, redirected: worklets have been checked against other policies than their page's.
export default async (t) => {
  await new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule(t.redirect(t.http('worklet.js')))
}
