// A click on an area of an image map.
// @leaves: the view goes to the canary
// @gesture: click
export default async (t) => {
  const image = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
  document.body.insertAdjacentHTML('beforeend', `<map name="${t.name}"><area shape="default" href="${t.http('click')}"></map>
    <img src="${image}" usemap="#${t.name}" style="position: fixed; inset: 0; width: 100%; height: 100%">`)
  await document.body.lastElementChild.decode().catch(() => {})
  await t.gesture('click')
}
