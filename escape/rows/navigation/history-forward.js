// A nested frame goes to the canary and back, and then forward in the history, which asks for the address again.
// @leaves: where the browser makes no entry for the frame, going back takes the view away
export default async (t) => {
  const frame = await t.frame((frame) => { frame.srcdoc = 'first' })
  // A navigation from within the load event would replace the entry in the history.
  await new Promise((resolve) => setTimeout(resolve))
  for (const move of [() => { frame.contentWindow.location = t.http('forward') }, () => history.back(), () => history.forward()]) {
    const done = t.settled(frame)
    move()
    await done
  }
}
