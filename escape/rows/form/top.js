// A form into the whole tab, without a gesture.
// @leaves: the tab would go to the canary
// @control: seldom in chromium firefox, a cross-origin frame usually needs a gesture to navigate the tab
export default (t) => {
  const form = document.createElement('form')
  form.action = t.http('top')
  form.target = '_top'
  document.body.append(form)
  form.submit()
}
