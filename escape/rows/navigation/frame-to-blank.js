// A nested frame that leaves a page of its own for about:blank, whose realm the page then uses.
export default async (t) => {
  const frame = await t.frame((frame) => { frame.src = t.file('frame-to-blank.inner.html') })
  const done = t.settled(frame)
  frame.contentWindow.location = 'about:blank'
  await done
  await frame.contentWindow.fetch(t.http('blank'), { mode: 'no-cors' }).catch(() => {})
}
