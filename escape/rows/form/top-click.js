// A form into the whole tab, sent by a click on its button.
// @leaves: the tab goes to the canary
// @gesture: click
export default async (t) => {
  const form = document.createElement('form')
  form.action = t.http('top')
  form.target = '_top'
  form.innerHTML = '<button style="position: fixed; inset: 0; width: 100%">Send</button>'
  document.body.append(form)
  await t.gesture('click')
}
