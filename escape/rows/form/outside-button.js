// A submit button that lies outside of its form, in another branch of the page.
// @leaves: the view goes to the canary
export default (t) => {
  const form = document.createElement('form')
  form.id = t.name
  const button = document.createElement('button')
  button.setAttribute('form', t.name)
  button.formAction = t.http('outside')
  document.body.append(form, button)
  button.click()
}
