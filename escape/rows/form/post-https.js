// A form that goes to an https address, whose name is in the clear in the TLS hello even if no request follows.
// @leaves: the view goes to the canary
export default (t) => {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = t.https('post')
  document.body.append(form)
  form.submit()
}
