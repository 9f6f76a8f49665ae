// A form that closes a dialog, whose button asks for another method.
// @leaves: the view goes to the canary
export default (t) => {
  const form = document.createElement('form')
  form.method = 'dialog'
  form.action = t.http('dialog')
  form.innerHTML = '<button formmethod="post">Send</button>'
  const dialog = document.createElement('dialog')
  dialog.append(form)
  document.body.append(dialog)
  dialog.show()
  form.requestSubmit(form.firstChild)
}
