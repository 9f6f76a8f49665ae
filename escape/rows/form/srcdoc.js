// A form in a srcdoc frame, which it navigates.
export default async (t) => {
  const frame = await t.frame((frame) => {
    frame.srcdoc = `<form method="post" action="${t.http('srcdoc')}"><input name="secret" value="word"></form>`
  })
  const done = t.settled(frame)
  const refused = t.settled(frame.contentDocument, 'securitypolicyviolation')
  frame.contentDocument.forms[0].submit()
  await Promise.race([done, refused])
}
