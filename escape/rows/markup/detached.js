// Markup that is parsed into an element that never becomes part of the page.
export default async (t) => {
  const box = document.createElement('div')
  box.innerHTML = `<img src="${t.http('detached.png')}">`
  await t.settled(box.firstChild)
}
