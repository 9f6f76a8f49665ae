// A form into a named nested frame.
export default async (t) => {
  const frame = await t.frame((frame) => { frame.name = t.name })
  const form = document.createElement('form')
  form.method = 'post'
  form.action = t.http('frame')
  form.target = t.name
  document.body.append(form)
  const done = t.settled(frame)
  form.submit()
  await done
}
