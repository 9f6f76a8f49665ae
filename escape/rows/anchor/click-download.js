// A click on a link to a download.
// @leaves: where it is refused, the view may show an error page
// @gesture: click
export default async (t) => {
  const link = document.createElement('a')
  link.href = t.http('click-download')
  link.download = `${t.name}.txt`
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  document.body.append(link)
  await t.gesture('click')
}
