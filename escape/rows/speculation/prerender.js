// Speculation rules that render a page of another site ahead.
// @alone: the rules hold for the whole page
// @control: none, frames do not speculate, and only Chromium has speculation rules
export default (t) => {
  const script = document.createElement('script')
  script.type = 'speculationrules'
  script.textContent = JSON.stringify({ prerender: [{ urls: [t.http('prerender'), t.https('prerender')], eagerness: 'immediate', target_hint: '_blank' }] })
  document.head.append(script)
}
