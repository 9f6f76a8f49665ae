// Frames that have the page's own Connection-Allowlist are taken away, and the page
// waits until Chromium has forgotten the list of what has gone, which is after 60 s.
// @apart: it takes more than a minute
export const patience = 120_000
export default async (t) => {
  const blob = URL.createObjectURL(new Blob(['<p>x'], { type: 'text/html' }))
  const kinds = [() => {}, (f) => { f.srcdoc = '<p>x' }, (f) => { f.src = blob }, (f) => { f.src = 'javascript:"<p>x"' }]
  for (const frame of await Promise.all(kinds.map((make) => t.frame(make)))) frame.remove()
  await new Promise((resolve) => setTimeout(resolve, 65_000))
  const link = document.createElement('link')
  link.rel = 'preconnect'
  link.href = t.http()
  document.head.append(link)
}
