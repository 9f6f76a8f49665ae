// A nested frame that goes to an allowed host, which redirects to the canary.
export default async (t) => {
  const frame = await t.frame()
  const done = t.settled(frame)
  frame.contentWindow.location = t.redirect(t.http('redirect'))
  await done
}
