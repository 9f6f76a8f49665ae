// A navigation out of a beforeunload handler.
// @leaves: the view loads itself again, or goes to the canary
// @control: none in chromium, it ignores navigations while it asks whether to leave
export default (t) => {
  addEventListener('beforeunload', () => { location.href = t.http('beforeunload') })
  location.reload()
}
