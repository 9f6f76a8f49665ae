// The view becomes a blob: document of SVG that has a script.
// @leaves: the view goes to a blob: address
export default (t) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script><![CDATA[${t.everything()}]]></script></svg>`
  location.href = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
}
