// A submit button that has an address of its own.
// @leaves: the view goes to the canary
export default (t) => {
  const form = document.createElement('form')
  form.action = '/'
  form.innerHTML = `<button formaction="${t.http('formaction')}" formmethod="post" name="secret" value="word">Send</button>`
  document.body.append(form)
  form.firstChild.click()
}
