// The pointer comes to rest on a link that speculation rules ask to be prefetched, and the browser looks its host up.
// @alone: its link fills the view
// @gesture: hover
// @control: none in webkit, nothing is sent when a link is hovered
export default async (t) => {
  const rules = document.createElement('script')
  rules.type = 'speculationrules'
  rules.textContent = JSON.stringify({ prefetch: [{ where: { selector_matches: 'a' }, eagerness: 'moderate' }] })
  document.head.append(rules)
  document.body.insertAdjacentHTML('beforeend', `<a href="${t.https('hover')}" style="position: fixed; inset: 0">Link</a>`)
  await t.gesture('pointerover')
}
