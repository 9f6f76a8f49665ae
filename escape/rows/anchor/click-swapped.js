// A click on a harmless link whose address is another when the button is released.
// @leaves: the view goes to the canary
// @gesture: click
export default async (t) => {
  const link = document.createElement('a')
  link.href = '#'
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  link.onclick = () => { link.href = t.http('swapped') }
  document.body.append(link)
  await t.gesture('click')
}
