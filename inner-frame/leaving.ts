// A view that navigates out of its sandbox ends: the browser refuses the navigation,
// but has already given up the document. So this prevents such navigations when a user
// starts them by a click, and tells the user. It does not contain anything; it
// preserves the page's state.
import type { Report } from './errors'
import { note } from './note'
import { cut } from './text'

// The part of the Navigation API that is used here; TypeScript's library lacks it.
interface Navigate extends Event {
  readonly destination: { readonly url: string }
  readonly downloadRequest: string | null
}

// watchLeaving watches the view's own document. Documents in nested frames may be
// allowed to navigate elsewhere.
export function watchLeaving(report: Report): void {
  const stay = (event: Event, url: string): void => {
    if (event.defaultPrevented || !event.cancelable || !leaves(url)) return
    event.preventDefault()
    if (!event.defaultPrevented) return // The page has replaced preventDefault, and leaves.
    report(() => ({ kind: 'violation', target: cut(url), directive: 'navigation' }))
    note('This page cannot leave its sandbox. Not opened:', cut(url))
  }
  // The Navigation API reports every navigation, including scripted ones.
  const api = (window as { readonly navigation?: EventTarget }).navigation
  api?.addEventListener('navigate', (event) => {
    const { destination, downloadRequest } = event as Navigate
    if (downloadRequest === null) stay(event, destination.url)
  })
  // Without that API, watch what the user does. By now the page's own handlers have
  // run.
  addEventListener('click', (event) => {
    const link = event.composedPath().find(isLink)
    if (link === undefined || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    const { href, target } = link
    if (!link.hasAttribute('download')) stayIn(target, event, typeof href === 'string' ? href : resolved(href.baseVal))
  })
  // A field with that name would hide the form's own method.
  const { getAttribute: attribute } = Element.prototype
  addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement)) return
    const { submitter } = event
    const own = submitter instanceof HTMLButtonElement || submitter instanceof HTMLInputElement ? submitter : undefined
    const given = (name: string): string | null => own?.getAttribute(`form${name}`) ?? attribute.call(form, name)
    if (given('method')?.toLowerCase() === 'dialog') return
    stayIn(given('target') ?? '', event, resolved(given('action') ?? ''))
  })

  function stayIn(target: string | SVGAnimatedString, event: Event, url: string): void {
    const name = typeof target === 'string' ? target : target.baseVal
    const own = (name || document.querySelector('base[target]')?.getAttribute('target')) ?? ''
    if (own === '' || own.toLowerCase() === '_self' || own === window.name) stay(event, url)
  }
}

function isLink(target: EventTarget): target is HTMLAnchorElement | HTMLAreaElement | SVGAElement {
  return target instanceof HTMLAnchorElement && target.href !== '' || target instanceof HTMLAreaElement && target.href !== '' || target instanceof SVGAElement
}

// resolved returns the URL of an address, or '' for an invalid address, which leads nowhere.
function resolved(address: string): string {
  return URL.parse(address, document.baseURI)?.href ?? ''
}

// leaves reports whether the outer frame would refuse the URL: its frame may go only to
// the sandbox's own origin. A script URL and a blank document send no request.
function leaves(url: string): boolean {
  try {
    const { origin, protocol } = new URL(url)
    return origin !== location.origin && protocol !== 'javascript:' && protocol !== 'about:'
  } catch {
    return false
  }
}
