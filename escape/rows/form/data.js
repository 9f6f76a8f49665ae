// A form in a data: frame, whose origin is opaque.
export default async (t) => {
  const html = `<form action="${t.http('data')}"></form><script>
    onsecuritypolicyviolation = () => parent.postMessage('${t.name}', '*')
    onload = () => setTimeout(() => document.forms[0].submit())</script>`
  const refused = t.message(t.name)
  const frame = await t.frame((frame) => { frame.src = `data:text/html,${encodeURIComponent(html)}` })
  await Promise.race([t.settled(frame), refused])
}
