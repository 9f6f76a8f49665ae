// The scripted click of a link that opens a tab in a browsing context group of its own.
// @alone: a pop-up
// @control: none in chromium firefox, a pop-up needs a gesture
export default (t) => {
  const link = document.createElement('a')
  link.href = t.http('noopener')
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  document.body.append(link)
  link.click()
}
