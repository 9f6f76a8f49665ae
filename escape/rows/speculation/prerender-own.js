// Speculation rules that render a page of this origin ahead, whose script then has a realm of its own.
// @alone: the rules hold for the whole page
// @control: none, frames do not speculate, and only Chromium has speculation rules
export default (t) => {
  const script = document.createElement('script')
  script.type = 'speculationrules'
  script.textContent = JSON.stringify({ prerender: [{ urls: [`${t.file('prerender-own.inner.html')}?${new URLSearchParams({ to: t.http('prerendered') })}`], eagerness: 'immediate' }] })
  document.head.append(script)
}
