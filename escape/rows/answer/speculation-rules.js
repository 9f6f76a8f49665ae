// Speculation rules that headers name: of a script, and of a document in a frame.
// @control: none, frames do not speculate, and only Chromium has speculation rules
export default async (t) => {
  const rules = t.allowed(`answer?${new URLSearchParams({ type: 'application/speculationrules+json', body: JSON.stringify({ prefetch: [{ urls: [t.http('prefetch')], eagerness: 'immediate' }] }) })}`)
  const query = (type) => new URLSearchParams([['type', type], ['header', `Speculation-Rules: "${rules}", "${t.http('rules.json')}"`]])
  await fetch(t.allowed(`answer?${query('text/javascript')}`))
  await t.frame((frame) => { frame.src = t.allowed(`answer?${query('text/html')}`) })
}
