// Links in a shadow tree.
export default (t) => {
  const host = document.createElement('div')
  host.attachShadow({ mode: 'closed' }).innerHTML = `<link rel="preconnect" href="${t.http()}"><link rel="dns-prefetch" href="${t.http()}">
    <link rel="preload" as="image" href="${t.http('preload.png')}"><link rel="stylesheet" href="${t.http('shadow.css')}">`
  document.body.append(host)
}
