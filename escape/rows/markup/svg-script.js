// A script element of SVG.
export default async (t) => {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const script = document.createElementNS(svg.namespaceURI, 'script')
  const done = t.settled(script)
  script.setAttribute('href', t.http('svg.js'))
  svg.append(script)
  document.body.append(svg)
  await done
}
