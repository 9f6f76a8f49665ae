// Speculation rules that render a page ahead until it has a script.
// @alone: the rules hold for the whole page
// @control: none, frames do not speculate, and only Chromium has speculation rules
export default (t) => {
  const script = document.createElement('script')
  script.type = 'speculationrules'
  script.textContent = JSON.stringify({ prerender_until_script: [{ urls: [t.http('until'), t.https('until')], eagerness: 'immediate' }] })
  document.head.append(script)
}
