// Showing a newer revision, or loading again, without a boot. The view's own document does
// it when it is asked (inner-frame/live.ts). If it does not, this frame navigates the view
// itself, and if that does not help, the view is booted.
//
// None of this skips a check. The worker answers a navigation by its newest policy: if that
// policy binds another worker, it answers with the boot page (sw/src/virtual.ts). What the
// document says of its revision and its path is the page's word. A lie harms only its own
// view.
import type { Field, FileChanges, Manner, ModuleUpdate, Path, PathList, Restore, Shown, Update, Updated, Updating } from '../protocol/protocol.gen'
import { data } from './data'

// Deadlines in milliseconds, for the steps of one update.
const leftDeadline = 1_000 // until the next document begins, if one leaves that was asked
const loadDeadline = 5_000 // until the next document begins, or the style sheets are there
const wholeDeadline = 2_000 // for the rest of a document, before it may be asked again
// The server's LeaseTime. A worker that has not heard of a revision may answer from an older
// one so long.
const leaseTime = 1_000
const greetingDeadline = 300 // of a document that has loaded already
// A document that answers this many pings, one per second, without answering the update is
// navigated. A document first waits for its worker, which the browser may have to start.
const pings = 4
const kept = 200 // changes; more are joined to one

interface View {
  // ask returns false if no document listens.
  ask(message: Update | Restore): boolean
  // go navigates the frame.
  go(path: string): void
  // start boots the view.
  start(): void
  shown(message: Shown): void
  // loaded: a reload that was asked for is complete.
  loaded(): void
}

// A Change is a revision with other files. modules has the updates of modules, and paths has the
// changed files that these do not cover. Without paths, only a load shows the change.
interface Change {
  readonly revision: number
  readonly paths: readonly string[] | undefined
  readonly modules: readonly ModuleUpdate[]
}

// What the view is doing. 'asked', 'swapping', and 'leaving' wait for the document,
// 'loading' for the rest of the next one, and 'waiting' for the end of a lease.
type Doing = 'nothing' | 'asked' | 'swapping' | 'leaving' | 'loading' | 'waiting'

export class Live {
  private on = false
  private ready = false
  private doing: Doing = 'nothing'
  private timer: ReturnType<typeof setTimeout> | undefined
  // The newest revision that an event has named.
  private newest: number = data.revision
  // The newest revision with other files.
  private files = 0
  // What the view does not show yet, oldest first.
  private changes: readonly Change[] = []
  // The revision that the view shows, and the document's path, if they are known. speaks:
  // the document has a client script that told them.
  private shown: number = data.revision
  private path: string | undefined
  private speaks = false
  // early: the next document has loaded before its greeting arrived. WebKit delivers messages
  // late.
  private early = false
  // again: the embedder has asked for a load. pressed: that load is not complete.
  private again = false
  private pressed = false
  // The revision of the update that is under way, and how often a document was older.
  private target = 0
  private stale = 0
  // How the document that is swapping shows the target.
  private manner: Manner = 'styles'
  // How often the document that is asked has answered pings.
  private answeredPings = 0
  private entered: { readonly path: string | undefined, readonly fields: readonly Field[] } | undefined

  constructor(private readonly view: View) {}

  follow(on: boolean): void {
    this.on = on
    this.next()
  }

  // revised is called for the revision of each event. news is what the event says of the
  // revision; other events have none.
  revised(revision: number, news: { readonly files: FileChanges | undefined } | undefined): void {
    if (revision <= this.newest) return
    // The log has dropped events, and nobody knows what they said.
    const unknown = news === undefined || revision > this.newest + 1
    this.newest = revision
    if (!unknown && news.files === undefined) return
    this.files = revision
    if (revision <= this.shown) return
    const change = unknown || news.files === undefined ? loaded(revision) : { revision, paths: pathsOf(news.files), modules: news.files.modules?.updates ?? [] }
    const all = [...this.changes, change]
    this.changes = all.length > kept ? [loaded(revision)] : all
    this.next()
  }

  // reload loads the view again where it is. It returns false if only a boot will do.
  reload(): boolean {
    if (!this.ready || this.pressed || !this.speaks && this.path === undefined) return false
    this.again = this.pressed = true
    if (this.doing === 'waiting') this.rest()
    this.next()
    return true
  }

  // entry is the path that the boot page of the view opens.
  enters(entry: string): void {
    this.path = entry
  }

  isReady(): void {
    this.ready = true
    this.early = !this.speaks
    this.finish()
  }

  // stopped: the view boots, or has ended.
  stopped(): void {
    this.ready = this.speaks = this.early = this.again = this.pressed = false
    this.path = undefined
    this.rest()
  }

  // began: a document of the view has begun, and tells what it is.
  began(revision: number, path: string): void {
    this.speaks = true
    this.path = path
    this.shows(revision)
    // Such a change was thought to be shown.
    if (this.files > revision && this.changes.at(-1)?.revision !== this.files) this.changes = [loaded(this.files)]
    this.view.shown({ kind: 'shown', manner: 'document', path, revision })
    if (this.entered?.path === path) this.view.ask({ kind: 'restore', fields: this.entered.fields })
    this.entered = undefined
    const { early } = this
    this.early = false
    if (!this.ready) return
    if (early) this.finish()
    else this.expect('loading', wholeDeadline, () => this.finish())
  }

  // alive: the document has answered a ping, so it is not busy.
  alive(): void {
    if (this.doing === 'asked' && ++this.answeredPings === pings) this.go()
  }

  // crashed: the document no longer answers. It navigates the view and returns true if an update is
  // waiting. Otherwise it returns false, and the caller ends the view.
  crashed(): boolean {
    if (this.doing !== 'asked') return false
    this.go()
    return true
  }

  // left: the document goes away.
  left(): void {
    this.speaks = false
    if (this.doing === 'asked') this.expect('asked', leftDeadline, () => this.go())
    if (this.doing !== 'leaving') this.path = undefined
    else if (this.early) this.listens()
  }

  // loaded: the frame has loaded a document.
  loaded(): void {
    if (!this.ready) return
    if (this.doing === 'loading') return this.finish()
    if (this.doing !== 'asked' && this.doing !== 'leaving') return
    this.early = true
    if (!this.speaks && this.doing === 'leaving') this.listens()
  }

  // listens waits for the greeting of a document that has loaded. Without it, the document has
  // no client script, such as an image. Each load that begins a lease after the change has it.
  private listens(): void {
    this.expect('leaving', greetingDeadline, () => {
      this.early = false
      this.shows(this.target)
      this.finish()
    })
  }

  answered(message: Updating | Updated | Path): void {
    switch (message.kind) {
      case 'path':
        this.path = message.path
        this.view.shown({ kind: 'shown', manner: 'path', path: message.path, revision: this.shown })
        return
      case 'updating':
        // A document reloads if it fails to replace its modules or style sheets.
        if (this.doing !== 'asked' && !(this.doing === 'swapping' && message.manner === 'document')) return
        this.manner = message.manner
        if (message.manner === 'document') this.entered = { path: this.path, fields: message.fields }
        this.expect(message.manner === 'document' ? 'leaving' : 'swapping', loadDeadline, () => this.go())
        return
      case 'updated':
        if (this.doing !== 'swapping') return
        this.keeps(this.manner)
        this.finish()
        return
      default:
        message satisfies never
    }
  }

  // keeps: the document stays, and shows the target.
  private keeps(manner: Manner): void {
    this.shows(this.target)
    this.view.shown({ kind: 'shown', manner, path: this.path ?? '', revision: this.target })
  }

  private shows(revision: number): void {
    this.shown = revision
    this.changes = this.changes.filter((change) => change.revision > revision)
  }

  private next(): void {
    if (!this.ready || this.doing !== 'nothing' || !this.again && (!this.on || this.changes.length === 0)) return
    if (this.target !== this.newest) this.stale = 0
    this.target = this.newest
    // A document that does not tell its revision might be older.
    if (!this.speaks && !this.again) return this.expect('waiting', leaseTime, () => this.go())
    const load = this.again || this.changes.some(({ paths }) => paths === undefined)
    const changed = load ? [] : [...new Set(this.changes.flatMap(({ paths = [] }) => paths))]
    const modules = load ? [] : newest(this.changes.flatMap(({ modules }) => modules))
    // The document has nothing to do: no module that runs has changed.
    if (!load && changed.length === 0 && modules.length === 0) return this.keeps('modules')
    this.again = false
    if (!this.view.ask({ kind: 'update', revision: this.target, changed, modules })) return this.go()
    // A busy document answers later. There is no deadline, because a navigation loses what the user
    // has entered.
    this.rest()
    this.doing = 'asked'
    this.answeredPings = 0
  }

  // go navigates the view, whose document does not do it.
  private go(): void {
    if (this.path === undefined) return this.view.start()
    this.again = false
    this.view.go(this.path)
    this.expect('leaving', loadDeadline, () => this.view.start())
  }

  // finish ends an update. What has changed meanwhile is the next one.
  private finish(): void {
    this.rest()
    if (this.pressed && !this.again) {
      this.pressed = false
      this.view.loaded()
    }
    if (this.changes.length === 0 || this.target !== this.newest || this.shown >= this.target) return this.next()
    // The worker answered before it had heard of the revision. If that is so even after
    // the end of its lease, the document does not tell the truth.
    this.stale++
    if (this.stale === 1) return this.next()
    if (this.stale === 2) return this.expect('waiting', leaseTime, () => {
      this.rest()
      this.next()
    })
    this.shows(this.target)
  }

  private expect(doing: Doing, deadline: number, otherwise: () => void): void {
    clearTimeout(this.timer)
    this.doing = doing
    this.timer = setTimeout(otherwise, deadline)
  }

  private rest(): void {
    clearTimeout(this.timer)
    this.doing = 'nothing'
  }
}

// loaded returns a change that only a load shows.
function loaded(revision: number): Change {
  return { revision, paths: undefined, modules: [] }
}

// newest returns the last update for each pair of modules.
function newest(updates: readonly ModuleUpdate[]): readonly ModuleUpdate[] {
  return [...new Map(updates.map((update) => [JSON.stringify([update.boundary, update.accepted]), update])).values()]
}

// pathsOf returns the changed paths that the module updates do not cover. It returns undefined if a
// document cannot show them in place: a file was added or removed, or a list is incomplete.
function pathsOf({ added, changed, removed, modules }: FileChanges): readonly string[] | undefined {
  const covered = new Set(modules?.files)
  // A module has called invalidate, and its importers do not accept the change.
  if (modules == null && added.count + changed.count + removed.count === 0) return undefined
  const rest = ({ count, list }: PathList): readonly string[] | undefined => (list.length === count ? list.filter((path) => !covered.has(path)) : undefined)
  return rest(added)?.length === 0 && rest(removed)?.length === 0 ? rest(changed) : undefined
}
