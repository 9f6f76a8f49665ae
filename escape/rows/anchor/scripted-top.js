// The scripted click of a link into the whole tab.
// @leaves: the tab would go to the canary
// @control: seldom in chromium firefox, a cross-origin frame usually needs a gesture to navigate the tab
export default (t) => {
  const link = document.createElement('a')
  link.href = t.http('top')
  link.target = '_top'
  document.body.append(link)
  link.click()
}
