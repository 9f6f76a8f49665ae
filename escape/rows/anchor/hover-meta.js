// The pointer comes to rest on a link in a page that asks for prefetching of names, and the browser looks its host up.
// @alone: its link fills the view
// @gesture: hover
// @control: none in webkit, nothing is sent when a link is hovered
export default async (t) => {
  document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="x-dns-prefetch-control" content="on">')
  document.body.insertAdjacentHTML('beforeend', `<a href="${t.http('hover')}" style="position: fixed; inset: 0">Link</a>`)
  await t.gesture('pointerover')
}
