// The scripted click of a link into the outer frame.
// @leaves: the outer frame would go to the canary
// @control: none in chromium firefox, a frame may not navigate a cross-origin parent
export default (t) => {
  const link = document.createElement('a')
  link.href = t.http('parent')
  link.target = '_parent'
  document.body.append(link)
  link.click()
}
