// A scripted click event on a link of SVG, which has no click().
// @leaves: the view goes to the canary
export default (t) => {
  const link = document.createElementNS('http://www.w3.org/2000/svg', 'a')
  link.setAttribute('href', t.http('svg'))
  document.body.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'svg')).append(link)
  link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
}
