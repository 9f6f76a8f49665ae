// The scripted click of a link.
// @leaves: the view goes to the canary
export default (t) => {
  const link = document.createElement('a')
  link.href = t.http('scripted')
  document.body.append(link)
  link.click()
}
