// Speculation rules that prefetch a page over TLS.
// @alone: the rules hold for the whole page
// @control: none, frames do not speculate, and only Chromium has speculation rules
export default (t) => {
  const script = document.createElement('script')
  script.type = 'speculationrules'
  script.textContent = JSON.stringify({ prefetch: [{ urls: [t.https('prefetch')], eagerness: 'immediate', referrer_policy: 'unsafe-url' }] })
  document.head.append(script)
}
