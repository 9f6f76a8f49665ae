// The code travels to another page of the same origin in the name of the window.
// @leaves: the view goes to a page of its own
export default (t) => {
  name = t.everything()
  location.href = t.file('name.inner.html')
}
