// The view goes to an address whose answer is a download, which leaves the view where it is.
// @leaves: where it is refused, the view shows an error page
export default (t) => {
  location.href = t.http(`answer?${new URLSearchParams({ type: 'application/octet-stream', header: 'Content-Disposition: attachment' })}`)
}
