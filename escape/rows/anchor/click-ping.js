// A click on a link to a place in the page, that tells another address of the click.
// @alone: its link fills the view
// @gesture: click
// @control: none in firefox, it sends no pings unless it is told to
export default async (t) => {
  const link = document.createElement('a')
  link.href = `#${t.name}`
  link.ping = t.http('ping')
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  document.body.append(link)
  await t.gesture('click')
}
