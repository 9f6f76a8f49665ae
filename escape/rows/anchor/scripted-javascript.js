// The scripted click of a link to a javascript: address that sends the view away.
// @leaves: the view goes to the canary
export default (t) => {
  const link = document.createElement('a')
  link.href = `javascript:void(location = '${t.http('javascript')}')`
  document.body.append(link)
  link.click()
}
