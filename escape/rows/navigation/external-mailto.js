// The view goes to a mailto: address.
// @alone: a browser may ask the user
// @control: none in chromium firefox, the address goes to an application, which a test machine has not
export default (t) => {
  location.href = `mailto:secret@${t.host}`
}
