// A synchronous XMLHttpRequest.
export default (t) => {
  const request = new XMLHttpRequest()
  request.open('POST', t.http('xhr'), false)
  request.send('secret')
}
