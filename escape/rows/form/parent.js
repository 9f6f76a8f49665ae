// A form into the outer frame.
// @leaves: the outer frame would go to the canary
// @control: none in chromium firefox, a frame may not navigate a cross-origin parent
export default (t) => {
  const form = document.createElement('form')
  form.action = t.http('parent')
  form.target = '_parent'
  document.body.append(form)
  form.submit()
}
