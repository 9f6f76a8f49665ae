// An SVG file with a script of its own, shown as a document.
export default async (t) => {
  const tried = t.message(t.name)
  await t.frame((frame) => { frame.src = `${t.file('svg.inner.svg')}?${new URLSearchParams({ url: t.http('svg'), name: t.name })}` })
  await tried
}
