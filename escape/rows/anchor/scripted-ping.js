// The scripted click of a link to a place in the page, that tells another address of the click.
// @alone: it changes the address
// @control: none in firefox, it sends no pings unless it is told to
export default (t) => {
  const link = document.createElement('a')
  link.href = `#${t.name}`
  link.ping = t.http('ping')
  document.body.append(link)
  link.click()
}
