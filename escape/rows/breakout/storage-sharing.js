// Storage sharing: a mark is left in every storage, cookies for the names above included, and marks of others are looked for.
// @alone: looks at all there is
import { breach } from './around.shared.js'

export default async (t) => {
  const mark = `mark-${t.host}`
  const jar = document.cookie.split('; ')
  const databases = await indexedDB.databases()
  const found = [
    ...jar, ...Object.keys(localStorage), ...Object.keys(sessionStorage), ...await caches.keys(), ...databases.map(({ name }) => name),
  ].filter((name) => name !== '')
  for (const domain of ['', 'sandbox.localhost', 'localhost', '.localhost']) {
    for (const more of ['', 'SameSite=None; Secure', 'SameSite=None; Secure; Partitioned']) {
      // The cookie says of itself by which attributes it was kept.
      const attributes = `${domain && `Domain=${domain}; `}${more}`
      document.cookie = `${mark}-${domain}-${more.length}=${encodeURIComponent(attributes)}; Path=/; ${attributes}`
    }
  }
  localStorage.setItem(mark, '1')
  sessionStorage.setItem(mark, '1')
  await caches.open(mark)
  indexedDB.open(mark)
  if (found.length > 0) await breach(t, `found ${found}`)
  await fetch(t.http(`own?${encodeURIComponent(document.cookie)}`), { mode: 'no-cors' })
}
