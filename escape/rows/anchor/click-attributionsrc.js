// A click on a link to a place in the page, that registers the click with an address.
// @alone: its link fills the view
// @gesture: click
// @control: none, browsers have removed the Attribution Reporting API or never had it
export default async (t) => {
  const link = document.createElement('a')
  link.href = `#${t.name}`
  link.setAttribute('attributionsrc', t.https('attribution'))
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  document.body.append(link)
  await t.gesture('click')
}
