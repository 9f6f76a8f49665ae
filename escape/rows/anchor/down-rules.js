// The pointer is pressed on a link that speculation rules ask to be prefetched, and the browser connects ahead of the click.
// @alone: its link fills the view
// @gesture: down
export default async (t) => {
  const rules = document.createElement('script')
  rules.type = 'speculationrules'
  rules.textContent = JSON.stringify({ prefetch: [{ where: { selector_matches: 'a' }, eagerness: 'conservative' }] })
  document.head.append(rules)
  document.body.insertAdjacentHTML('beforeend', `<a href="${t.https('down')}" style="position: fixed; inset: 0">Link</a>`)
  await t.gesture('pointerdown')
}
