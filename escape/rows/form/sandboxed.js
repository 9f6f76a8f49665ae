// A form in a sandboxed frame that may send forms.
export default async (t) => {
  const html = `<form action="${t.http('sandboxed')}"></form><script>
    onsecuritypolicyviolation = () => parent.postMessage('${t.name}', '*')
    onload = () => setTimeout(() => document.forms[0].submit())</script>`
  const refused = t.message(t.name)
  const frame = await t.frame((frame) => {
    frame.sandbox = 'allow-scripts allow-forms'
    frame.srcdoc = html
  })
  await Promise.race([t.settled(frame), refused])
}
