// A nested frame, navigated by open() with its name.
export default async (t) => {
  const frame = await t.frame((frame) => { frame.name = t.name })
  const done = t.settled(frame)
  open(t.http('named'), t.name)
  await done
}
