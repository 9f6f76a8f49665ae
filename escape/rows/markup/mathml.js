// The addresses that MathML has: links, glyphs and annotations.
// @control: none, browsers load nothing for MathML
export default (t) => {
  const box = document.createElement('div')
  box.innerHTML = `<math href="${t.http('math')}"><mglyph src="${t.http('glyph.png')}"/><semantics><mi href="${t.http('mi')}">x</mi>
    <annotation-xml encoding="image/svg+xml" src="${t.http('annotation.svg')}"/></semantics></math>`
  document.body.append(box)
}
