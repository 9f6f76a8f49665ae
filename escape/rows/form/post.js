// A form that sends its fields in a body.
// @leaves: the view goes to the canary
export default (t) => {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = t.http('post')
  form.innerHTML = '<input name="secret" value="word">'
  document.body.append(form)
  form.submit()
}
