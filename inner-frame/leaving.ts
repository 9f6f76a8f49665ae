// A view that leaves its sandbox ends: the browser refuses, and has given up the
// document by then. So what a person does by a click is kept from beginning, and said.
// This holds nothing in; it keeps the page's state.
import type { Report } from './errors'
import { note } from './note'
import { cut } from './text'

// What the Navigation API has of a navigation; it is not in the library of types yet.
interface Navigate extends Event {
  readonly destination: { readonly url: string }
  readonly downloadRequest: string | null
}

// watchLeaving attends to the view's own document; what is in a frame of it may be
// allowed to go elsewhere.
export function watchLeaving(report: Report): void {
  const stay = (event: Event, url: string): void => {
    if (event.defaultPrevented || !event.cancelable || !leaves(url)) return
    event.preventDefault()
    if (!event.defaultPrevented) return // The page has seen to that, and leaves.
    report(() => ({ kind: 'violation', target: cut(url), directive: 'navigation' }))
    note('This page cannot leave its sandbox. Not opened:', cut(url))
  }
  // Where there is the Navigation API it knows of each navigation, also of one by script.
  const api = (window as { readonly navigation?: EventTarget }).navigation
  api?.addEventListener('navigate', (event) => {
    const { destination, downloadRequest } = event as Navigate
    if (downloadRequest === null) stay(event, destination.url)
  })
  // Elsewhere of what a person does. A page that handles it itself has done so by now.
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

// resolved is '' for what is no address, which leads nowhere.
function resolved(address: string): string {
  return URL.parse(address, document.baseURI)?.href ?? ''
}

// leaves: the outer frame lets its frame go to the sandbox's own origin alone. What a
// script URL does, and a blank document, is no request.
function leaves(url: string): boolean {
  try {
    const { origin, protocol } = new URL(url)
    return origin !== location.origin && protocol !== 'javascript:' && protocol !== 'about:'
  } catch {
    return false
  }
}
