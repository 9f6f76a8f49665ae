// A form into a named frame that lies within another frame.
export default async (t) => {
  const frame = await t.frame((frame) => { frame.srcdoc = `<iframe name="${t.name}"></iframe>` })
  const form = document.createElement('form')
  form.action = t.http('deep')
  form.target = t.name
  document.body.append(form)
  const done = t.settled(frame.contentDocument.querySelector('iframe'))
  form.submit()
  await done
}
