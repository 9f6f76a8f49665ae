// An @import into a layer, with a condition and a media query.
export default async (t) => {
  const style = document.createElement('style')
  const done = t.settled(style)
  style.textContent = `@import "${t.http('style.css')}" layer(x) supports(display: block) screen;`
  document.head.append(style)
  await done
}
