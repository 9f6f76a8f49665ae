// A click on a link of SVG.
// @leaves: the view goes to the canary
// @gesture: click
export default async (t) => {
  document.body.insertAdjacentHTML('beforeend', `<svg style="position: fixed; inset: 0; width: 100%; height: 100%">
    <a href="${t.http('click')}"><rect width="100%" height="100%"/></a></svg>`)
  await t.gesture('click')
}
