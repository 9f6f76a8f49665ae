// A style sheet's @import.
export default async (t) => {
  const style = document.createElement('style')
  const done = t.settled(style)
  style.textContent = `@import url(${t.http('style.css')});`
  document.head.append(style)
  await done
}
