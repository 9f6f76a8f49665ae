// A form into a new tab that no gesture asked for.
// @alone: a pop-up
// @control: none in firefox, a pop-up needs a gesture
export default (t) => {
  const form = document.createElement('form')
  form.action = t.http('blank')
  form.target = '_blank'
  document.body.append(form)
  form.submit()
}
