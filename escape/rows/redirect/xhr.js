// A synchronous XMLHttpRequest that is redirected.
export default (t) => {
  const request = new XMLHttpRequest()
  request.open('GET', t.redirect(t.http('xhr')), false)
  request.send()
}
