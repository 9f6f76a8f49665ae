// submit() of a form that is not in the document.
// @leaves: the view would go to the canary
// @control: none, a form sends only from within a document
export default (t) => {
  const form = document.createElement('form')
  form.action = t.http('detached')
  form.submit()
}
