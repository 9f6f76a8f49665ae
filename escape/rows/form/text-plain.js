// A form whose body is plain text, with which a page can speak other protocols.
// @leaves: the view goes to the canary
export default (t) => {
  const form = document.createElement('form')
  form.method = 'post'
  form.enctype = 'text/plain'
  form.action = t.http('text')
  form.innerHTML = '<input name="secret" value="word">'
  document.body.append(form)
  form.submit()
}
