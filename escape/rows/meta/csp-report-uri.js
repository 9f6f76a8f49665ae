// A policy in a meta element that names where violations are reported, and a violation.
// @alone: the policy holds for the whole page
// @control: none, a meta element cannot say report-uri
export default async (t) => {
  const meta = document.createElement('meta')
  meta.httpEquiv = 'Content-Security-Policy'
  meta.content = `img-src 'none'; report-uri ${t.http('report')}`
  document.head.append(meta)
  const img = new Image()
  const done = t.settled(img)
  img.src = 'data:image/gif,x'
  await done
}
