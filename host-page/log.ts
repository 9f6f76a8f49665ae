// A list of events, newest last. It accepts events as fast as they come, and updates
// the document once for all events since the last frame.
import { icon } from './dom'
import { element } from './data'
import { count } from './text'

const limit = 2_000
// Without animation frames, as in a hidden tab, the list is updated after this many
// milliseconds.
const late = 250
// Within this distance of its end, in pixels, the list counts as scrolled to the end.
const near = 32

interface Options<T> {
  // The list's elements are #name, #name-scroller, #name-empty, #name-jump and #name-foot.
  readonly name: string
  render(item: T): HTMLLIElement
  shown(item: T): boolean
  // When the list is full, expendable items are dropped first, so that a flood of
  // unimportant events cannot push out the important ones.
  expendable(item: T): boolean
  empty(kept: number): string
}

interface Row<T> {
  readonly item: T
  readonly element: HTMLLIElement
}

export class Log<T> {
  private readonly list: HTMLElement
  private readonly scroller: HTMLElement
  private readonly emptyNote: HTMLElement
  private readonly jump: HTMLElement
  private readonly foot: HTMLElement
  private rows: Row<T>[] = []
  private queue: T[] = []
  private dropped = 0
  private unseen = 0
  private following = true
  private frame = 0
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly options: Options<T>) {
    this.list = element(options.name)
    this.scroller = element(`${options.name}-scroller`)
    this.emptyNote = element(`${options.name}-empty`)
    this.jump = element(`${options.name}-jump`)
    this.foot = element(`${options.name}-foot`)
    this.scroller.addEventListener('scroll', () => this.look(), { passive: true })
    this.jump.addEventListener('click', () => this.toEnd())
    new ResizeObserver(() => {
      if (this.following) this.toEnd()
    }).observe(this.scroller)
    this.describe()
  }

  add(item: T): void {
    this.queue.push(item)
    if (this.queue.length >= limit) {
      this.flush()
    } else if (this.timer === undefined) {
      this.frame = requestAnimationFrame(() => this.flush())
      this.timer = setTimeout(() => this.flush(), late)
    }
  }

  clear(): void {
    this.queue = []
    this.rows = []
    this.dropped = 0
    this.list.replaceChildren()
    this.toEnd()
    this.describe()
  }

  refilter(): void {
    for (const row of this.rows) row.element.hidden = !this.options.shown(row.item)
    if (this.following) this.toEnd()
    this.describe()
  }

  // look checks whether the end of the list has moved out of view or into view.
  look(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller
    this.following = scrollHeight - scrollTop - clientHeight < near
    if (this.following) this.unseen = 0
    this.offerJump()
  }

  private flush(): void {
    cancelAnimationFrame(this.frame)
    clearTimeout(this.timer)
    this.timer = undefined
    const fragment = document.createDocumentFragment()
    for (const item of this.queue.splice(0)) {
      const made = this.options.render(item)
      made.hidden = !this.options.shown(item)
      if (!this.following && !made.hidden) this.unseen++
      this.rows.push({ item, element: made })
      fragment.append(made)
    }
    this.list.append(fragment)
    this.trim()
    if (this.following) this.toEnd()
    else this.offerJump()
    this.describe()
  }

  private trim(): void {
    const excess = this.rows.length - limit
    if (excess <= 0) return
    const gone = new Set<Row<T>>()
    for (const wanted of [(row: Row<T>) => this.options.expendable(row.item), () => true]) {
      for (const row of this.rows) {
        if (gone.size === excess) break
        if (wanted(row)) gone.add(row)
      }
    }
    for (const row of gone) row.element.remove()
    this.rows = this.rows.filter((row) => !gone.has(row))
    this.dropped += excess
  }

  private toEnd(): void {
    this.scroller.scrollTop = this.scroller.scrollHeight
    this.following = true
    this.unseen = 0
    this.offerJump()
  }

  private offerJump(): void {
    this.jump.hidden = this.following
    if (!this.following) this.jump.replaceChildren(icon('down'), this.unseen > 0 ? `${count(this.unseen)} new` : 'Jump to newest')
  }

  private describe(): void {
    const kept = this.rows.length
    const shown = this.rows.filter((row) => !row.element.hidden).length
    const drops = this.dropped === 0 ? '' : ` · ${count(this.dropped)} older dropped, ${count(limit)} are kept`
    const some = shown === kept ? '' : `${count(shown)} of `
    this.foot.textContent = `${some}${count(kept)} ${kept === 1 ? 'line' : 'lines'}${drops}`
    this.emptyNote.hidden = shown > 0
    if (shown === 0) this.emptyNote.textContent = this.options.empty(kept)
  }
}
