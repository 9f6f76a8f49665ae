// A form into a new tab, sent by a click on its button.
// @alone: a pop-up
// @gesture: click
export default async (t) => {
  const form = document.createElement('form')
  form.action = t.http('blank')
  form.target = '_blank'
  form.innerHTML = '<button style="position: fixed; inset: 0; width: 100%">Send</button>'
  document.body.append(form)
  await t.gesture('click')
}
