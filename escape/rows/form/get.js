// A form that sends its fields in the query.
// @leaves: the view goes to the canary
export default (t) => {
  const form = document.createElement('form')
  form.action = t.http('get')
  form.innerHTML = '<input name="secret" value="word">'
  document.body.append(form)
  form.submit()
}
