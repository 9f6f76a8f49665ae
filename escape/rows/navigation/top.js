// The location of the whole tab, without a gesture.
// @leaves: the tab would go to the canary
// @control: none in chromium firefox, a cross-origin frame needs a gesture to navigate the tab
export default (t) => {
  top.location = t.http('top')
}
