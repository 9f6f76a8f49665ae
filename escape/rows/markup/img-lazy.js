// An image that is fetched when it comes into view.
export default async (t) => {
  const img = document.createElement('img')
  const done = t.settled(img)
  img.loading = 'lazy'
  img.style.cssText = 'position: fixed; top: 0; width: 9px; height: 9px'
  img.src = t.http('lazy.png')
  document.body.append(img)
  await done
}
