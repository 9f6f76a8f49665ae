// Reporting once that the browser drops the page's cookies. Chromium treats a cookie
// without SameSite as SameSite=Lax, and drops it silently in a frame of another site,
// such as a sandbox. With SameSite=None it is a third-party cookie, which Chromium may
// drop, too. So does any browser that blocks third-party cookies.
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
    // The cookie may be for another path or host, and so be invisible here. A plain one is
    // for this document.
    apply(set, document, [`${probe}=1`])
    if (!has(probe)) return true
    apply(set, document, [`${probe}=; Max-Age=0`])
    return false
  }
  const setter = wrapped(set, (self, values, here) => {
    if (told || values.length === 0 || self !== document) return apply(set, self, values)
    const cookie = `${values[0] as string}` // convert once, as the browser does
    apply(set, self, [cookie])
    try {
      told = dropped(cookie)
    } catch {
      return // The page has replaced what this check needs.
    }
    if (told) refused(report, 'cookies', () => 'document.cookie', placeOf(here))
  })
  Object.defineProperty(Document.prototype, 'cookie', { ...native, set: setter })
}

// ends reports whether an attribute makes the browser delete the cookie.
function ends(attribute: string): boolean {
  const [name = '', value = ''] = attribute.split('=').map((part) => part.trim().toLowerCase())
  return name === 'max-age' && Number(value) <= 0 || name === 'expires' && Date.parse(value) <= Date.now()
}
