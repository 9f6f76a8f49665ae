// The worker's state (revision, policy headers, rules, files): fetched from the
// server with the secret and with the contents that belong to it, replaced whole,
// never patched, never taken from anywhere else. It is answered from memory only on a
// lease (sandbox/leases.go): a change on the server is not over before this worker has
// said that it was told of it, or the lease is over.
import { leaseHeader, paths } from '../../protocol/protocol.gen'
import { blobs } from './blobs'
import { Lease, moment } from './lease'
import { readParcel } from './parcel'
import { openProgram, type Program } from './program'
import { ask } from './server'
import type { State } from './state.gen'

// A stream that was refused is not asked for again at once: without it there is no
// lease, and each request asks the server.
const refusedFor = 10_000 // milliseconds

// A state comes with some MiB of contents, for which a slow connection has this long.
const wholeFor = 60_000 // milliseconds

// A document waits so long for the app that the sandbox is for, and looks so often in case
// the server's stream is cut off. The outer frame stops the navigation long before that.
const appFor = 60_000 // milliseconds
const appPause = 1_000

// The name under which this worker holds its leases, as long as it lives.
const holder = crypto.randomUUID()

// Loads are numbered in the order in which they began.
interface Load {
  readonly number: number
  readonly state: Promise<State>
}

class States {
  private current: State | undefined
  // lease is on current.
  private lease = new Lease()
  // told is the newest revision that the server's stream has named, said the newest
  // that the server was told in turn.
  private told = 0
  private said = 0
  private begun = 0
  private loading: Load | undefined

  // recent gives a state that was the server's newest at some time after it was
  // called, or is still. A load that began earlier may have been answered earlier.
  async recent(): Promise<State> {
    const before = this.begun
    for (;;) {
      const state = this.vouched()
      if (state !== undefined) return state
      const load = this.loading ?? this.begin()
      if (load.number > before) return load.state
      await load.state.catch(() => undefined) // Whoever began it says what is wrong.
    }
  }

  // whole is recent, for a navigation. If the sandbox waits for its app, whole resolves when the
  // app is there or the time is over.
  async whole(): Promise<State> {
    const until = Date.now() + appFor
    let state = await this.recent()
    while (state.waits && Date.now() < until) {
      if (this.told <= state.revision) await this.newer()
      state = await this.recent()
    }
    return state
  }

  private readonly awaiting = new Set<() => void>()

  // newer resolves when the stream names a revision, or after a pause.
  private newer(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.awaiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, appPause)
      this.awaiting.add(done)
    })
  }

  // vouched gives the state in memory, unless there may be a newer one.
  private vouched(): State | undefined {
    const state = this.current
    return state !== undefined && state.revision >= this.told && this.lease.holds() ? state : undefined
  }

  // wake begins the first load, before anybody asks for anything.
  wake(): void {
    this.begin().state.catch(() => undefined) // The first request asks again.
  }

  private begin(): Load {
    const number = ++this.begun
    const load: Load = {
      number,
      state: this.load(number).finally(() => {
        if (this.loading === load) this.loading = undefined
        this.catchUp()
      }),
    }
    this.loading = load
    return load
  }

  // load asks for the changes and for the state at once. There is a lease only for
  // who listens to the changes: mostly the server has that request by the time it
  // answers the other. If not, the first line of the changes makes another load, by
  // which a worker comes by its first lease.
  private async load(number: number): Promise<State> {
    const asked = moment()
    const have = this.current?.revision ?? 0
    this.said = this.told
    const followed = this.follow()
    try {
      const response = await ask(paths.state, { query: `have=${have}&told=${this.told}&holder=${holder}`, whole: wholeFor })
      const revision = response.status === 204 ? have : this.take(await response.arrayBuffer())
      if (this.current === undefined) throw new Error('the server sent no state')
      if (revision === this.current.revision) this.lease = this.lease.orLater(asked, Number(response.headers.get(leaseHeader)))
      // To tell the server of a revision ends this holder's leases on older ones, for
      // which a change waits. Before the first answer of its life a holder has none, so
      // that there is nothing to tell of that answer's own revision. Of a later load that
      // is not known: an answer that got lost may have been a lease. Either way nothing is
      // answered from memory that is older than what was told, see vouched.
      if (number === 1 && this.lease.holds()) this.said = Math.max(this.said, revision)
      return this.current
    } catch (error) {
      // Nothing says that the stream beside it was refused for itself.
      void followed.then(() => (this.notBefore = 0))
      throw error
    }
  }

  // take takes an answer whole, the state and its contents in one step, or throws and
  // takes nothing.
  private take(answer: ArrayBuffer): number {
    const parcel = readParcel(answer)
    // Two loads may cross; the older answer does not win. One that was made for an
    // older revision lacks nothing: what was kept from that one to this was kept in
    // each between.
    if (parcel.state.revision > (this.current?.revision ?? 0)) {
      this.current = parcel.state
      this.lease = new Lease()
      blobs.take(parcel)
    }
    return parcel.state.revision
  }

  private following = false
  private notBefore = 0

  // follow reads the server's stream of revision numbers until it ends, which
  // at the latest is when the browser stops this worker.
  private async follow(): Promise<void> {
    if (this.following || Date.now() < this.notBefore) return
    this.following = true
    let heard = false
    try {
      const response = await ask(paths.changes, { query: `holder=${holder}`, stream: true })
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      let rest = ''
      while (reader !== undefined) {
        const { done, value } = await reader.read()
        if (done) break
        const lines = (rest + value).split('\n')
        rest = lines.pop() ?? ''
        if (lines.length > 0) this.hear(Math.max(...lines.map(Number)))
        heard = true
      }
    } catch {
      // The next request that has no lease any more asks the server and says what is wrong.
      if (!heard) this.notBefore = Date.now() + refusedFor
    } finally {
      this.following = false
    }
  }

  // hear is told of a revision by the stream.
  private hear(revision: number): void {
    if (!Number.isSafeInteger(revision)) return
    this.told = Math.max(this.told, revision)
    for (const done of this.awaiting) done()
    this.catchUp()
  }

  // catchUp says to the server, which waits for it, what this worker was told. While
  // the first answer is on its way it does not: mostly what was told is that answer's
  // own revision, of which there is nothing to say. It is called again afterwards.
  private catchUp(): void {
    if (this.told > this.said && this.loading?.number !== 1) this.begin().state.catch(() => undefined) // The next request asks again.
  }
}

export const states = new States()

// A state's program is opened once.
const opened = new WeakMap<State, { program: Program | undefined }>()

// programOf returns undefined, by which everything is blocked, if the state's
// program cannot be read.
export function programOf(state: State): Program | undefined {
  let known = opened.get(state)
  if (known === undefined) {
    known = { program: openProgram(state.program) }
    opened.set(state, known)
  }
  return known.program
}
