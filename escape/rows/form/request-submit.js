// requestSubmit(), which works as a click on the button would.
// @leaves: the view goes to the canary
export default (t) => {
  const form = document.createElement('form')
  form.action = t.http('request')
  form.innerHTML = '<button formmethod="post" name="secret" value="word">Send</button>'
  document.body.append(form)
  form.requestSubmit(form.firstChild)
}
