// A nested frame with a page of the same origin, whose src is then set to the canary.
export default async (t) => {
  const frame = await t.frame((frame) => { frame.src = t.file('frame-own.inner.html') })
  const done = t.settled(frame)
  frame.src = t.http('own')
  await done
}
