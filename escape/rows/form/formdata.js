// A formdata handler that puts the data in when the form has been sent, so that no field ever held it.
// @leaves: the view goes to the canary
export default (t) => {
  const form = document.createElement('form')
  form.action = t.http('formdata')
  form.onformdata = (event) => event.formData.append('secret', 'word')
  document.body.append(form)
  form.submit()
}
