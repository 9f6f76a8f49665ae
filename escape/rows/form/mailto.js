// A form to a mailto: address, which a mail program would get with the fields as its text.
// @alone: a browser may ask the user
// @control: none in chromium firefox, the address goes to an application, which a test machine lacks
export default (t) => {
  const form = document.createElement('form')
  form.method = 'post'
  form.enctype = 'text/plain'
  form.action = `mailto:secret@${t.host}`
  document.body.append(form)
  form.submit()
}
