// Telling once that the browser keeps no cookie of the page. Chromium takes a cookie
// without SameSite for SameSite=Lax, and drops it without a word in a frame of another
// site, which a sandbox is; with SameSite=None alone it is a third-party cookie, which
// it may drop, too. Any browser does so that blocks third-party cookies.
import type { Report } from './errors'
import { placeOf, refused, wrapped, type Callable } from './features'

const probe = 'bellglass-probe'

export function watchCookies(report: Report): void {
  const native = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')
  if (native?.get === undefined || native.set === undefined) return
  const get = native.get as () => string
  const set = native.set as Callable
  const { apply } = Reflect
  let told = false

  const has = (name: string): boolean => apply(get, document, []).split('; ').some((kept) => kept.split('=')[0] === name)
  const dropped = (cookie: string): boolean => {
    const [pair = '', ...attributes] = cookie.split(';')
    if (has((pair.split('=')[0] ?? '').trim()) || attributes.some(ends)) return false
    // It may be for another path or host, as its page knows. A plain one is not.
    apply(set, document, [`${probe}=1`])
    if (!has(probe)) return true
    apply(set, document, [`${probe}=; Max-Age=0`])
    return false
  }
  const setter = wrapped(set, (self, values, here) => {
    if (told || values.length === 0 || self !== document) return apply(set, self, values)
    const cookie = `${values[0] as string}` // once, as the browser does
    apply(set, self, [cookie])
    try {
      told = dropped(cookie)
    } catch {
      return // The page has replaced what this is found out with.
    }
    if (told) refused(report, 'cookies', () => 'document.cookie', placeOf(here))
  })
  Object.defineProperty(Document.prototype, 'cookie', { ...native, set: setter })
}

// ends: with this attribute a cookie is removed.
function ends(attribute: string): boolean {
  const [name = '', value = ''] = attribute.split('=').map((part) => part.trim().toLowerCase())
  return name === 'max-age' && Number(value) <= 0 || name === 'expires' && Date.parse(value) <= Date.now()
}
