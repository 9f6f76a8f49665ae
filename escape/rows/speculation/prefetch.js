// Speculation rules that prefetch a page of another site.
// @alone: the rules hold for the whole page
// @control: none, frames do not speculate, and only Chromium has speculation rules
export default (t) => {
  const script = document.createElement('script')
  script.type = 'speculationrules'
  script.textContent = JSON.stringify({ prefetch: [{ source: 'list', urls: [t.http('prefetch')], eagerness: 'immediate' }] })
  document.head.append(script)
}
