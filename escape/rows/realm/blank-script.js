// An about:blank frame with script, image and style elements of the canary, as the realm's own document loads them.
export default async (t) => {
  const inner = document.body.appendChild(document.createElement('iframe')).contentDocument
  const script = inner.createElement('script')
  const image = inner.createElement('img')
  const sheet = inner.createElement('link')
  script.src = t.http('script.js')
  image.src = t.http('image.png')
  sheet.rel = 'stylesheet'
  sheet.href = t.http('style.css')
  const all = [script, image, sheet].map((element) => t.settled(element))
  inner.head.append(script, image, sheet)
  await Promise.all(all)
}
