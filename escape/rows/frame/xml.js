// An XML file with an XHTML script, shown as a document.
export default async (t) => {
  const tried = t.message(t.name)
  await t.frame((frame) => { frame.src = `${t.file('xml.inner.xml')}?${new URLSearchParams({ url: t.http('xml'), name: t.name })}` })
  await tried
}
