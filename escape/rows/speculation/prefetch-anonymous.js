// Speculation rules that prefetch by a proxy, so that the user's address stays hidden.
// @alone: the rules hold for the whole page
// @control: none, frames do not speculate, and only Chromium has speculation rules
export default (t) => {
  const script = document.createElement('script')
  script.type = 'speculationrules'
  script.textContent = JSON.stringify({ prefetch: [{ urls: [t.https('prefetch')], requires: ['anonymous-client-ip-when-cross-origin'], eagerness: 'immediate' }] })
  document.head.append(script)
}
