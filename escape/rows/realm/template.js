// A template whose content is inert until the page takes a copy of it.
export default async (t) => {
  const template = document.createElement('template')
  template.innerHTML = `<img src="${t.http('image.png')}"><iframe src="${t.http('frame')}"></iframe>`
  const copy = document.importNode(template.content, true)
  const all = [...copy.children].map((element) => t.settled(element))
  document.body.append(copy)
  await Promise.all(all)
}
