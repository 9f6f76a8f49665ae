// In Chromium 156 and Firefox 153 any frame can take the focus without a gesture. The page
// around it then loses what the user types, and in Chromium the frame receives it. No
// header, attribute or sandbox flag prevents that.
// FocusGuard detects such a theft, gives the focus back, and reports a sandbox that
// continues.
//
// A move of the focus into the frame is the user's if
//   - Tab moved it there, or
//   - the browser saw a gesture in the sandbox. The outer frame reads this from
//     navigator.userActivation. The pointer must also be over the frame, unless no older
//     gesture and no stolen key can explain the activation.
//
// The exception serves touch, and tests that click through the DevTools protocol: neither
// sets :hover in this page. It has a window of some milliseconds: a key that the sandbox
// steals before the outer frame answers is a gesture, too.

// All times are in milliseconds.

// An event counts as the cause of another that follows within this time.
const recent = 1_000
// Browsers end a transient activation after 5 s at most.
const activationLasts = 6_000
// The outer frame must answer within this time.
const patience = 500
// Within this time after a blur, activeElement is the frame that has the focus.
const settles = 50
// The focus is confirmed at these times after it was given back.
const confirmations = [30, 150, 500] as const
// Either of these counts of thefts ends the view.
const limits = [{ thefts: 3, within: 1_000 }, { thefts: 10, within: 60_000 }] as const

// Guarded is the connection whose frame a FocusGuard watches.
export interface Guarded {
  frame(): HTMLIFrameElement | undefined
  // isActive tells whether the outer frame has a transient activation. It may never resolve.
  isActive(): Promise<boolean>
  // taken is called once, after the guard has stopped, when the thefts reach a limit.
  taken(): void
}

interface Lost {
  readonly element: HTMLElement
  readonly at: number
}

export class FocusGuard {
  private readonly listening = new AbortController()
  private lost: Lost | undefined
  private tabbed = -Infinity
  private typed = -Infinity
  private staleUntil = -Infinity
  private away = false // the sandbox has the focus
  private thefts: number[] = []

  constructor(document: Document, private readonly guarded: Guarded) {
    const options = { capture: true, signal: this.listening.signal }
    document.addEventListener('focusin', (event) => this.moved(event), options)
    document.addEventListener('focusout', (event) => this.left(event), options)
    const window = document.defaultView
    window?.addEventListener('keydown', (event) => this.pressed(event), options)
    window?.addEventListener('focus', (event) => {
      if (event.target === window) void this.returned()
    }, options)
    window?.addEventListener('blur', (event) => {
      if (event.target === window) void this.blurred()
    }, options)
  }

  // stop ends the watch. Thefts have no effect from then on.
  stop(): void {
    this.listening.abort()
  }

  private moved(event: FocusEvent): void {
    if (event.composedPath()[0] === this.guarded.frame()) return
    this.lost = undefined
    this.tabbed = -Infinity
  }

  private left(event: FocusEvent): void {
    const [element] = event.composedPath()
    if (element instanceof HTMLElement && !(element instanceof HTMLIFrameElement)) this.lost = { element, at: performance.now() }
  }

  private pressed({ key, isTrusted }: KeyboardEvent): void {
    if (!isTrusted) return
    this.typed = performance.now()
    if (key === 'Tab') this.tabbed = this.typed
  }

  // When the focus comes back from the sandbox, an activation there may still last. It does
  // not justify the next move.
  private async returned(): Promise<void> {
    if (!this.away) return
    this.away = false
    this.staleUntil = Infinity
    const old = await this.active(true)
    this.staleUntil = old ? performance.now() + activationLasts : -Infinity
  }

  private async blurred(): Promise<void> {
    const now = performance.now()
    const { lost } = this
    const pointed = this.guarded.frame()?.matches(':hover') === true
    const fresh = now > this.staleUntil && now - this.typed > recent
    this.away = await this.gotFocus()
    if (!this.away || lost === undefined || now - lost.at > recent || now - this.tabbed < recent) return
    if ((pointed || fresh) && await this.active(false)) return
    this.stolen(now)
    this.giveBack(lost.element)
  }

  // gotFocus tells whether the frame has the focus after a blur. Firefox 153 sets
  // activeElement some tasks later. In Chromium 156 a focus() in the task of the blur would
  // change activeElement only: the keys would still go to the sandbox.
  private async gotFocus(): Promise<boolean> {
    const until = performance.now() + settles
    do await new Promise((resolve) => setTimeout(resolve))
    while (!this.hasFocus() && performance.now() < until)
    return this.hasFocus()
  }

  private hasFocus(): boolean {
    const frame = this.guarded.frame()
    return frame !== undefined && (frame.getRootNode() as Document | ShadowRoot).activeElement === frame
  }

  private active(otherwise: boolean): Promise<boolean> {
    return Promise.race([this.guarded.isActive(), new Promise<boolean>((resolve) => setTimeout(() => resolve(otherwise), patience))])
  }

  private stolen(now: number): void {
    this.thefts = [...this.thefts.filter((at) => now - at < 60_000), now]
    if (!limits.some(({ thefts, within }) => this.thefts.filter((at) => now - at < within).length >= thefts)) return
    this.stop()
    this.guarded.taken()
  }

  private giveBack(element: HTMLElement): void {
    const frame = this.guarded.frame()
    if (frame !== undefined && !this.hasFocus()) return // the user or the page was faster
    element.focus({ preventScroll: true })
    // focus() does nothing if the element was removed, or is inside a closed shadow tree.
    if (this.hasFocus()) frame?.blur()
    for (const delay of confirmations) setTimeout(() => this.confirm(element), delay)
  }

  // confirm makes the browser apply the focus that this page already sees. If the sandbox
  // takes the focus while it is given back, Chromium 156 can send the keys to the sandbox
  // although activeElement is the page's field (1 of 7 runs lost all 13 keys). A second
  // focus() of the same element does nothing. A detour through a frame of the page's own
  // kept the keys in 20 of 20 runs.
  private confirm(element: HTMLElement): void {
    const root = element.getRootNode()
    if (!(root instanceof Document || root instanceof ShadowRoot) || root.activeElement !== element) return
    const between = element.ownerDocument.createElement('iframe')
    between.style.cssText = 'position: fixed; inline-size: 0; block-size: 0; border: 0'
    element.ownerDocument.body.append(between)
    between.contentWindow?.focus()
    element.focus({ preventScroll: true })
    between.remove()
  }
}
