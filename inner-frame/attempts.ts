// Reporting what the page tries without the necessary grant, or what no grant allows.
// The page's calls have the same result as without this.
import type { Feature } from '../protocol/protocol.gen'
import type { Report } from './errors'
import { placeOf, refused, wrapped, type Callable } from './features'

// Chromium tells a page what its permissions policy allows.
interface WithPolicy {
  readonly featurePolicy?: { readonly allowsFeature: (name: string) => boolean }
}

export function watchAttempts(report: Report, granted: readonly Feature[]): void {
  // In other browsers the grants count, as if the embedding page had delegated them.
  const policy = (document as WithPolicy).featurePolicy
  const permissions: readonly Feature[] = ['clipboard-read', 'clipboard-write', 'fullscreen', 'geolocation']
  const allows = (feature: Feature): boolean => (policy !== undefined && permissions.includes(feature) ? policy.allowsFeature(feature) : granted.includes(feature))
  const { apply } = Reflect
  const { Promise } = window
  const { then } = Promise.prototype

  // at reports each call of a method that does nothing without the feature.
  const at = (holder: object | undefined, name: string, feature: Feature, called = name): void => {
    replace(holder, name, (native) => (self, values, here) => {
      if (!allows(feature)) refused(report, feature, () => called, placeOf(here))
      return apply(native, self, values)
    })
  }
  // failing reports each call of a method whose promise is rejected.
  const failing = (holder: object | undefined, name: string, feature: Feature, called: (values: readonly unknown[]) => string): void => {
    replace(holder, name, (native) => (self, values, here) => {
      const result = apply(native, self, values)
      if (!(result instanceof Promise) || allows(feature)) return result
      const place = placeOf(here)
      return apply(then, result, [undefined, (error: unknown) => {
        refused(report, feature, () => called(values), place)
        throw error
      }])
    })
  }

  for (const name of ['alert', 'confirm', 'prompt', 'print']) at(window, name, 'allow-modals')
  replace(window, 'open', (native) => (self, values, here) => {
    let opened: unknown = null // Firefox throws
    try {
      return opened = apply(native, self, values)
    } finally {
      if (opened === null) refused(report, 'allow-popups', () => address(values[0] ?? 'about:blank'), placeOf(here))
    }
  })
  for (const name of ['getCurrentPosition', 'watchPosition']) at(prototype('Geolocation'), name, 'geolocation', `navigator.geolocation.${name}`)
  for (const name of ['readText', 'read'] as const) failing(prototype('Clipboard'), name, 'clipboard-read', () => `navigator.clipboard.${name}`)
  for (const name of ['writeText', 'write'] as const) failing(prototype('Clipboard'), name, 'clipboard-write', () => `navigator.clipboard.${name}`)
  for (const name of ['requestFullscreen', 'webkitRequestFullscreen']) at(Element.prototype, name, 'fullscreen')
  failing(prototype('ServiceWorkerContainer'), 'register', 'service-worker', ([script]) => address(script))
  watchLinks((feature, target) => refused(report, feature, () => target, {}))
}

// watchLinks reports clicks on links that would open a window or start a download. The
// effect of a click is known only after its last listener has run.
function watchLinks(tell: (feature: Feature, target: string) => void): void {
  const { apply } = Reflect
  // WebKit 2.50 navigates to the address of a download that it refuses, which ends the
  // view. So this prevents such clicks, unless the page has.
  const ours = new WeakSet<Event>()
  const look = (event: Event, link: Link): void => {
    const feature = event.defaultPrevented && !ours.has(event) ? undefined : wanted(link)
    if (feature !== undefined) tell(feature, link.href)
  }
  addEventListener('click', (event) => {
    const link = event.composedPath().find(isLink)
    if (link !== undefined) setTimeout(() => look(event, link))
  }, { capture: true })
  addEventListener('click', (event) => {
    const link = event.composedPath().find(isLink)
    if (link === undefined || event.defaultPrevented || wanted(link) !== 'allow-downloads') return
    event.preventDefault()
    ours.add(event)
  })

  // A click on a link outside of any document, which scripts make, opens no window and
  // may not be cancelable. A link without an address leads nowhere.
  const { addEventListener: listen, removeEventListener: unlisten } = EventTarget.prototype
  for (const [holder, name] of [[HTMLElement.prototype, 'click'], [EventTarget.prototype, 'dispatchEvent']] as const) {
    replace(holder, name, (native) => (self, values) => {
      if (!isLink(self) || self.isConnected) return apply(native, self, values)
      let href: string | null = null
      const heard = (event: Event): void => {
        look(event, self)
        if (event.defaultPrevented || wanted(self) !== 'allow-downloads') return
        href = self.getAttribute('href')
        self.removeAttribute('href')
      }
      apply(listen, self, ['click', heard])
      try {
        return apply(native, self, values)
      } finally {
        apply(unlisten, self, ['click', heard])
        if (href !== null) self.setAttribute('href', href)
      }
    })
  }
}

type Link = HTMLAnchorElement | HTMLAreaElement

function isLink(node: unknown): node is Link {
  return node instanceof HTMLAnchorElement || node instanceof HTMLAreaElement
}

// wanted returns the feature that a click on the link needs. For another origin's
// address the attribute download has no effect.
function wanted(link: Link): Feature | undefined {
  if (link.href === '') return undefined
  if (link.hasAttribute('download') && (['blob:', 'data:'].includes(link.protocol) || link.origin === location.origin)) return 'allow-downloads'
  const target = link.getAttribute('target') ?? document.querySelector('base[target]')?.getAttribute('target')
  return target?.toLowerCase() === '_blank' ? 'allow-popups' : undefined
}

function replace(holder: object | undefined, name: string, call: (native: Callable) => (self: unknown, values: unknown[], here: Callable) => unknown): void {
  const native = holder === undefined ? undefined : Object.getOwnPropertyDescriptor(holder, name)
  if (holder === undefined || typeof native?.value !== 'function') return // not in this browser
  const method = native.value as Callable
  Object.defineProperty(holder, name, { ...native, value: wrapped(method, call(method)) })
}

function prototype(name: string): object | undefined {
  const type: unknown = Reflect.get(window, name)
  return typeof type === 'function' ? type.prototype as object : undefined
}

function address(url: unknown): string {
  try {
    return new URL(String(url), document.baseURI).href
  } catch {
    return String(url)
  }
}
