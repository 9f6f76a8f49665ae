// The scripted click of a link into a named nested frame.
export default async (t) => {
  const frame = await t.frame((frame) => { frame.name = t.name })
  const link = document.createElement('a')
  link.href = t.http('frame')
  link.target = t.name
  document.body.append(link)
  const done = t.settled(frame)
  link.click()
  await done
}
