// A form in an empty nested frame, which it navigates.
export default async (t) => {
  const frame = await t.frame()
  const form = frame.contentDocument.createElement('form')
  form.method = 'post'
  form.action = t.http('blank')
  frame.contentDocument.body.append(form)
  const done = t.settled(frame)
  // The violation of form-action is the event of the frame's own document.
  const refused = t.settled(frame.contentDocument, 'securitypolicyviolation')
  form.submit()
  await Promise.race([done, refused])
}
