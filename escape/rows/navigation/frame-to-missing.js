// A nested frame that leaves an empty document for a path of our own that has no file, whose realm the page then uses.
export default async (t) => {
  const frame = await t.frame()
  const done = t.settled(frame)
  frame.contentWindow.location = `/${t.name}/missing`
  await done
  await frame.contentWindow.fetch(t.http('missing'), { mode: 'no-cors' }).catch(() => {})
}
