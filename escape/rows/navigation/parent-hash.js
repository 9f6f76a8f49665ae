// Data in the fragment of the outer frame's address.
// @leaves: the outer frame would be another document
// @control: none, a frame may not navigate a cross-origin parent, and a fragment is not sent
export default (t) => {
  parent.location = `${document.referrer || 'http://localhost/'}#${t.http('hash')}`
}
