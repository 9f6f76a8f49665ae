// A navigation that going back in the history overtakes.
// @leaves: the view goes to the canary, or back
// @control: seldom, going back overtakes it before it connects
export default async (t) => {
  if (document.readyState !== 'complete') await t.settled(window)
  // A navigation from within the load event would replace the entry in the history.
  await new Promise((resolve) => setTimeout(resolve))
  history.pushState(null, '', `#${t.name}`)
  location.href = t.http('race')
  history.back()
}
