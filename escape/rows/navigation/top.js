// The location of the whole tab, without a gesture.
// @leaves: the tab would go to the canary
// @control: seldom in chromium firefox, a cross-origin frame usually needs a gesture to navigate the tab
export default (t) => {
  top.location = t.http('top')
}
