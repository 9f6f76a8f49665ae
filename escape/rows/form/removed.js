// A form that is removed in the turn in which it was sent.
// @leaves: the view goes to the canary
export default (t) => {
  const form = document.createElement('form')
  form.action = t.http('removed')
  document.body.append(form)
  form.submit()
  form.remove()
}
