// The pointer is pressed on a link of SVG, and the browser connects ahead of the click.
// @alone: its link fills the view
// @gesture: down
export default async (t) => {
  document.body.insertAdjacentHTML('beforeend', `<svg style="position: fixed; inset: 0; width: 100%; height: 100%">
    <a href="${t.http('down')}"><rect width="100%" height="100%"/></a></svg>`)
  await t.gesture('pointerdown')
}
