// An empty nested frame, navigated by the page.
export default async (t) => {
  const frame = await t.frame()
  const done = t.settled(frame)
  frame.contentWindow.location = t.http('blank')
  await done
}
