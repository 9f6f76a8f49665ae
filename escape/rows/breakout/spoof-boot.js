// The page impersonates our boot page, in all its phases and with a containment of its choice; then a request.
// @alone: the outer frame ends the view
export default async (t) => {
  const boot = { kind: 'boot', protocol: 1, view: true, containment: 'audit', text: t.http('text'), advice: `<img src=${t.http('advice')}>` }
  for (const phase of ['started', 'ready', 'failed', '__proto__']) {
    for (const view of [true, false]) parent.postMessage({ ...boot, phase, view, code: phase === 'failed' ? `<img src=${t.http('code')}>` : undefined }, '*')
  }
  parent.postMessage({ ...boot, protocol: `<img src=${t.http('protocol')}>` }, '*')
  await fetch(t.http('spoofed'), { mode: 'no-cors' })
}
