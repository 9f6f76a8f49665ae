// A frame of the canary three empty documents deep.
export default async (t) => {
  let inner = document
  for (let depth = 0; depth < 3; depth++) {
    const frame = inner.createElement('iframe')
    inner.body.append(frame)
    inner = frame.contentDocument
  }
  const frame = inner.createElement('iframe')
  const done = t.settled(frame)
  frame.src = t.http('deep')
  inner.body.append(frame)
  await done
}
