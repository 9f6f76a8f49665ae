// Nested-frame breakout: frames of our own pages, asked by query for a weaker policy, and their realms.
import { id } from './around.shared.js'

export default async (t) => {
  const query = new URLSearchParams({ allow: `* ${t.host}; connect-src *`, unsafe: 'true', host: '*', policy: 'none', audit: '1', mode: 'audit' })
  const paths = ['/missing.html', '/.bellglass/boot', '/.bellglass/probe', '/inner-frame.html', '/outer-frame.html', `/${id}`]
  await Promise.all(paths.map(async (path) => {
    const frame = document.createElement('iframe')
    const loaded = new Promise((resolve) => { frame.onload = resolve })
    frame.src = `${path}?${query}`
    document.body.append(frame)
    await loaded
    await frame.contentWindow.fetch(t.http('weaker'), { mode: 'no-cors' }).catch(() => {})
  }))
}
