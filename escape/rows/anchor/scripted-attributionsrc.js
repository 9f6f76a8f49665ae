// The scripted click of a link that registers the click with an address.
// @alone: it changes the address
// @control: none, browsers have removed the Attribution Reporting API or never had it
export default (t) => {
  const link = document.createElement('a')
  link.href = `#${t.name}`
  link.setAttribute('attributionsrc', t.https('attribution'))
  document.body.append(link)
  link.click()
}
