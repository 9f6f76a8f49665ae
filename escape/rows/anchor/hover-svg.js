// The pointer comes to rest on a link of SVG, and the browser looks its host up.
// @alone: its link fills the view
// @gesture: hover
// @control: none in webkit, nothing is sent when a link is hovered
export default async (t) => {
  document.body.insertAdjacentHTML('beforeend', `<svg style="position: fixed; inset: 0; width: 100%; height: 100%">
    <a href="${t.http('hover')}"><rect width="100%" height="100%"/></a></svg>`)
  await t.gesture('pointerover')
}
