// The module of an audio worklet on an allowed host that imports another.
export default async (t) => {
  const url = t.allowed(`answer?${new URLSearchParams({ type: 'text/javascript', body: `import '${t.http('worklet.js')}'` })}`)
  await new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule(url)
}
