// A click on a link in a page that asks for prefetching of names.
// @leaves: the view goes to the canary
// @gesture: click
export default async (t) => {
  document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="x-dns-prefetch-control" content="on">')
  document.body.insertAdjacentHTML('beforeend', `<a href="${t.http('click')}" style="position: fixed; inset: 0">Link</a>`)
  await t.gesture('click')
}
