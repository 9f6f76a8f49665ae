// The view goes to an allowed host, which answers with a Refresh header.
// @leaves: the view goes to the canary by the allowed host
export default (t) => {
  const query = new URLSearchParams({ type: 'text/html', header: `Refresh: 0;url=${t.http('refresh')}` })
  location.href = t.allowed(`answer?${query}`)
}
