// Showing a newer revision without a boot, when the outer frame asks. The document replaces
// its style sheets and modules in place if nothing else has changed. First it tells the worker of
// the revision. Otherwise it reloads itself, so that the browser keeps the address, the entry of
// the history, and the scroll position. It does so at once: for a navigation the worker asks the
// server again, unless it has a revision that no document has had (sw/src/states.ts).
import type { Field, Update, Updated, Updating } from '../protocol/protocol.gen'
import { fieldsOf } from './fields'
import type { HotModules } from './hot'
import { known } from './known'
import { replacing } from './styles'

const { location } = window
const reload = location.reload.bind(location)

// updater returns the function that handles an Update.
export function updater(post: (message: Updating | Updated) => void, hot: HotModules): (update: Update) => void {
  const again = (): void => {
    attempt(() => hot.leaves())
    post({ kind: 'updating', manner: 'document', fields: entered() })
    reload()
  }
  return (update) => {
    const { changed, modules } = update
    const replace = changed.length === 0 ? nothing : attempt(() => replacing(update))
    if (changed.length + modules.length === 0 || replace === undefined || modules.length > 0 && !hot.canTake()) return again()
    post({ kind: 'updating', manner: modules.length > 0 ? 'modules' : 'styles', fields: [] })
    known(update.revision).then(replace).then(() => hot.take(modules)).then(() => post({ kind: 'updated' }), again)
  }
}

async function nothing(): Promise<void> {}

function entered(): readonly Field[] {
  return attempt(fieldsOf) ?? []
}

// attempt returns undefined if the page has replaced something that the function uses.
function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

// The part of the Navigation API that is used here; TypeScript's library lacks it.
type Navigation = EventTarget

// here returns the document's path, query, and fragment.
export function here(): string {
  return location.pathname + location.search + location.hash
}

// watchPath reports each change of the address without a load. Browsers without the
// Navigation API do not tell of pushState.
export function watchPath(tell: (path: string) => void): void {
  let last = here()
  const look = (): void => {
    const now = here()
    if (now === last) return
    last = now
    tell(now)
  }
  const { navigation } = window as { readonly navigation?: Navigation }
  if (navigation !== undefined) return navigation.addEventListener('currententrychange', look)
  for (const type of ['popstate', 'hashchange']) addEventListener(type, look)
}
