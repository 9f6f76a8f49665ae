// The pointer is pressed on a link in a page that asks for prefetching of names, and the browser connects ahead of the click.
// @alone: its link fills the view
// @gesture: down
export default async (t) => {
  document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="x-dns-prefetch-control" content="on">')
  document.body.insertAdjacentHTML('beforeend', `<a href="${t.http('down')}" style="position: fixed; inset: 0">Link</a>`)
  await t.gesture('pointerdown')
}
