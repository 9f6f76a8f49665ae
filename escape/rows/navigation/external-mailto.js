// The view goes to a mailto: address.
// @leaves: where it is refused, the view may show an error page
// @control: none in chromium firefox, the address goes to an application, which a test machine lacks
export default (t) => {
  location.href = `mailto:secret@${t.host}`
}
