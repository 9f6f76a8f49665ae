// A link that another document made, in which it does nothing, and this one adopts.
export default (t) => {
  const inert = document.implementation.createHTMLDocument('')
  inert.head.innerHTML = `<link rel="preconnect" href="${t.http()}"><link rel="prefetch" href="${t.http('prefetch')}">`
  document.head.append(...inert.head.querySelectorAll('link'))
}
