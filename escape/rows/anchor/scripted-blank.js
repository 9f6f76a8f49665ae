// The scripted click of a link that opens a tab.
// @alone: a pop-up
// @control: none in chromium firefox, a pop-up needs a gesture
export default (t) => {
  const link = document.createElement('a')
  link.href = t.http('blank')
  link.target = '_blank'
  document.body.append(link)
  link.click()
}
