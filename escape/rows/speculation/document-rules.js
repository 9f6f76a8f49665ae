// Speculation rules that choose among the links of the page.
// @alone: the rules hold for the whole page
// @control: none, frames do not speculate, and only Chromium has speculation rules
export default (t) => {
  for (const url of [t.http('document'), t.https('document')]) {
    const anchor = document.createElement('a')
    anchor.href = url
    anchor.textContent = 'link'
    document.body.append(anchor)
  }
  const script = document.createElement('script')
  script.type = 'speculationrules'
  script.textContent = JSON.stringify({ prefetch: [{ source: 'document', where: { href_matches: `*://${t.host}:*/*` }, eagerness: 'immediate' }] })
  document.head.append(script)
}
