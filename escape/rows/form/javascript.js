// A form whose action is a javascript: address, which sends another one.
// @leaves: the view goes to the canary
export default (t) => {
  const form = document.createElement('form')
  form.action = `javascript:void(location = '${t.http('javascript')}')`
  document.body.append(form)
  form.submit()
}
