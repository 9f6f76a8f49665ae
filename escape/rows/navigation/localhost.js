// The view goes to another server on the loopback, whose page has no policy of ours and asks the canary for an image.
// @leaves: the view goes to another localhost origin
export default (t) => {
  const query = new URLSearchParams({ type: 'text/html', body: `<img src="${t.http('localhost')}">` })
  location.href = `http://other.localhost:${t.port}/answer?${query}`
}
