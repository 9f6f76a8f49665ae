// A style sheet of an allowed host that imports another, and has a background and a font.
export default async (t) => {
  const body = `@import url(${t.http('import.css')}); @font-face { font-family: ${t.name}; src: url(${t.http('font.woff2')}) } html { background: url(${t.http('background.png')}) } body::after { font-family: ${t.name}; content: "x" }`
  const link = document.createElement('link')
  const done = t.settled(link)
  link.rel = 'stylesheet'
  link.href = t.allowed(`answer?${new URLSearchParams({ type: 'text/css', body })}`)
  document.head.append(link)
  await done
}
