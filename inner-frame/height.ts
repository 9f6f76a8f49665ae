// Measuring the height of a view's document, for an embedding page that asks.
//
// The root's scrollHeight is never less than the viewport's height, so it cannot
// shrink. A body of 100vh with a margin is taller than the viewport, so it would grow
// with each answer. Therefore root and body are made as tall as their content during
// the measurement. The browser paints nothing in between.
import { heightLimit } from '../protocol/protocol.gen'

// With position: relative, absolutely positioned content counts for body's
// scrollHeight.
const natural = 'html, body { height: max-content !important; min-height: 0 !important; position: relative !important; transition: none !important }'
// For a document in which an element may have been scrolled. If the viewport determines
// that element's height, a height of max-content would lose its scroll position.
const careful = 'html, body { min-height: 0 !important; position: relative !important; transition: none !important }'

// One of these events can change the height while the boxes of root and body stay the
// same. Load events of images and the like never reach the window, only the document
// (DOM, section 4.5).
const events = ['load', 'error', 'input', 'transitionend', 'animationend']
const pause = 50 // milliseconds from a change to the measurement
// Browsers paint no frames of hidden pages. After this time the page is measured
// anyway.
const unseen = 500 // milliseconds

const { setTimeout, clearTimeout, requestAnimationFrame, cancelAnimationFrame, ResizeObserver, MutationObserver, CSSStyleSheet } = window

export class Height {
  private end: (() => void) | undefined
  private told = 0
  private readonly scrolled = new Set<Element>()
  // Two sheets, because in WebKitGTK 2.50 a second replaceSync can have no effect.
  private readonly natural = sheetOf(natural)
  private readonly careful = sheetOf(careful)

  constructor(private readonly tell: (height: number) => void) {}

  // watch reports the height now, and after every change until stop.
  watch(): void {
    this.stop()
    this.told = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    let frame = 0
    const measure = (): void => {
      clearTimeout(timer)
      timer = undefined
      observe()
      this.measure()
    }
    // Only an animation frame comes after all scroll events so far.
    const later = (): void => {
      timer ??= setTimeout(() => {
        cancelAnimationFrame(frame)
        frame = requestAnimationFrame(measure)
        timer = setTimeout(measure, unseen)
      }, pause)
    }
    const boxes = new ResizeObserver(later)
    const seen = new WeakSet<Element>()
    const observe = (): void => {
      // A page can replace both.
      for (const element of [document.documentElement, document.body] as readonly (Element | null)[]) {
        if (element === null || seen.has(element)) continue
        seen.add(element)
        boxes.observe(element)
      }
    }
    const nodes = new MutationObserver(later)
    nodes.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
    const over = new AbortController()
    const options = { capture: true, passive: true, signal: over.signal }
    for (const event of events) document.addEventListener(event, later, options)
    for (const event of ['load', 'resize']) addEventListener(event, later, options)
    document.fonts.addEventListener('loadingdone', later, options)
    addEventListener('scroll', ({ target }) => {
      if (target instanceof Element) this.scrolled.add(target)
    }, options)
    this.end = () => {
      clearTimeout(timer)
      cancelAnimationFrame(frame)
      boxes.disconnect()
      nodes.disconnect()
      over.abort()
    }
    later()
  }

  stop(): void {
    this.end?.()
    this.end = undefined
  }

  private measure(): void {
    for (const element of this.scrolled) if (!element.isConnected || element.scrollTop <= 0) this.scrolled.delete(element)
    const height = this.height(this.scrolled.size === 0 ? this.natural : this.careful)
    if (height === this.told || height === 0) return
    this.told = height
    this.tell(height)
  }

  // height returns 0 if no element can follow it: the frame is not displayed, or
  // everything visible depends on the viewport (position: fixed).
  private height(sheet: CSSStyleSheet): number {
    const { documentElement: root, body } = document
    if (body === null || innerWidth === 0) return 0
    const before = [...document.adoptedStyleSheets] // a copy: the document's own list changes
    const [left, top] = [scrollX, scrollY]
    // A horizontal scroll bar belongs to no element's box.
    const bar = innerHeight - (document.scrollingElement ?? root).clientHeight
    document.adoptedStyleSheets = [...before, sheet]
    try {
      // In quirks mode body's scrollHeight is the viewport's, and root's is its own.
      const box = document.compatMode === 'BackCompat' ? root : body
      const { top: start, height } = root.getBoundingClientRect()
      const end = box.getBoundingClientRect().top + box.clientTop + box.scrollHeight
      if (body.getBoundingClientRect().height === 0 && end - start <= height) return 0 // at most margins
      return Math.min(Math.ceil(Math.max(height, end - start) + Math.max(bar, 0)), heightLimit)
    } finally {
      document.adoptedStyleSheets = before
      if (scrollX !== left || scrollY !== top) scrollTo({ left, top, behavior: 'instant' })
    }
  }
}

function sheetOf(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return sheet
}
