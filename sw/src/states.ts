// The worker's state: revision, policy headers, rules, and files. The worker fetches it from
// the server with the secret, together with its contents. It replaces the state whole, never
// patches it, and takes it from nowhere else. It answers from memory only while it has a lease
// (sandbox/leases.go). A change on the server is complete when this worker has acknowledged
// it, or when the lease has expired.
import { heldFor, leaseHeader, paths } from '../../protocol/protocol.gen'
import { blobs } from './blobs'
import { Lease, moment } from './lease'
import { readStateResponse } from './stateresponse'
import { openProgram, type Program } from './program'
import { ask } from './server'
import type { State } from './state.gen'

// A refused stream is not requested again at once. Without it there is no lease, and each
// request asks the server.
const refusedFor = 10_000 // milliseconds

// A state comes with some MiB of contents. A slow connection has this long for them.
const wholeFor = 60_000 // milliseconds

// A document waits for the sandbox's app for appFor and the rest of one request. This is longer
// than a host and its outer frame usually take, even with many apps in one page. The server holds
// a request for heldFor, and an answer that takes heldMore longer is lost. A failed request is
// repeated after appPause.
const appFor = 60_000 // milliseconds
const heldMore = 10_000
const appPause = 1_000

// holder is the name under which this worker holds its leases, as long as it lives.
const holder = crypto.randomUUID()

// Loads are numbered in the order in which they began.
interface Load {
  readonly number: number
  readonly state: Promise<State>
}

class States {
  private current: State | undefined
  // lease is the lease on current.
  private lease = new Lease()
  // told is the newest revision that the server's stream has named. said is the newest one
  // that the worker has acknowledged to the server.
  private told = 0
  private said = 0
  // known is the newest revision that a page has named, until a load has asked for it.
  private known = 0
  // taken is the newest revision that a document has got, or that a page has named.
  private taken = 0
  private begun = 0
  private loading: Load | undefined

  // recent returns a state that was the server's newest at some time after the call, or still
  // is. A load that began earlier is not enough, because its answer may be older.
  recent(): Promise<State> {
    return this.newer(() => true)
  }

  // opening returns a recent state for a navigation. A document reloads itself as soon as it hears
  // of a change, and this worker may hear of it later. So the navigation relies on the state in
  // memory only if no document has its revision yet. Otherwise it needs a load that begins now.
  async opening(): Promise<State> {
    const state = await this.newer(({ revision }) => revision > this.taken)
    this.taken = Math.max(this.taken, state.revision)
    return state
  }

  // newer does what recent does. It returns a state in memory only if that will do.
  private async newer(willDo: (state: State) => boolean): Promise<State> {
    const before = this.begun
    for (;;) {
      const state = this.vouched()
      if (state !== undefined && willDo(state)) return state
      const next = this.loading ?? this.begin()
      if (next.number > before) return next.state
      await next.state.catch(() => undefined) // The caller that began it reports the error.
    }
  }

  // know notes a revision that the caller says the server has, and begins to load it unless the
  // worker has it. Until that load has succeeded, no older state is returned.
  know(revision: number): void {
    if (!Number.isSafeInteger(revision)) return
    this.known = Math.max(this.known, revision)
    this.taken = Math.max(this.taken, revision)
    if (this.vouched() === undefined && this.loading === undefined) this.begin().state.catch(() => undefined) // The next request asks again.
  }

  // after waits for the sandbox's app, for which the given state waits. It returns the first
  // state that it gets with the app, or undefined if the app does not arrive within appFor.
  async after(waiting: State): Promise<State | undefined> {
    const until = Date.now() + appFor
    let state = waiting
    while (state.waits) {
      if (Date.now() >= until) return undefined
      state = await this.held(state.revision).catch(pause) ?? state
    }
    this.taken = Math.max(this.taken, state.revision)
    return state
  }

  // held asks the server for a newer state than the revision, and the server answers when
  // there is one. That is one round trip less than to hear of a revision and then to ask.
  //
  // The request acknowledges the next revision, so that the change that brings the app need
  // not wait for this worker. In return the worker does not answer from this revision any more
  // without asking.
  private async held(revision: number): Promise<State> {
    this.told = Math.max(this.told, revision + 1)
    this.said = this.told
    const response = await ask(paths.state, { query: `have=${revision}&told=${this.told}&holder=${holder}&newer=1`, deadline: heldFor + heldMore, whole: wholeFor })
    if (response.status !== 204) this.take(await response.arrayBuffer())
    if (this.current === undefined) throw new Error('the server sent no state')
    return this.current
  }

  // vouched returns the state in memory, unless there may be a newer one.
  private vouched(): State | undefined {
    const state = this.current
    return state !== undefined && state.revision >= Math.max(this.told, this.known) && this.lease.holds() ? state : undefined
  }

  // wake begins the first load, unless a request has done so.
  wake(): void {
    if (this.begun > 0) return
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

  // load asks for the changes and for the state at the same time. Only a worker that listens
  // to the changes gets a lease. Usually the server has that request by the time it answers
  // the other. If not, the first line of the changes starts another load, which gets the
  // worker its first lease.
  private async load(number: number): Promise<State> {
    const asked = moment()
    const have = this.current?.revision ?? 0
    const { known } = this
    this.said = this.told
    const followed = this.follow()
    try {
      const response = await ask(paths.state, { query: `have=${have}&told=${this.told}&holder=${holder}`, whole: wholeFor })
      const revision = response.status === 204 ? have : this.take(await response.arrayBuffer())
      if (this.current === undefined) throw new Error('the server sent no state')
      if (this.known === known) {
        this.known = 0
        this.taken = Math.min(this.taken, this.current.revision)
      }
      if (revision === this.current.revision) this.lease = this.lease.orLater(asked, Number(response.headers.get(leaseHeader)))
      // Acknowledging a revision ends this holder's leases on older revisions, and a change
      // waits for that. Before the first answer of its life a holder has no lease, so it need
      // not acknowledge that answer's own revision. For a later load this is not certain: a
      // lost answer may have contained a lease. In both cases vouched never returns a state
      // older than told.
      if (number === 1 && this.lease.holds()) this.said = Math.max(this.said, revision)
      return this.current
    } catch (error) {
      // The failure of the load does not mean that the stream beside it was refused.
      void followed.then(() => (this.notBefore = 0))
      throw error
    }
  }

  // take accepts an answer whole, the state and its contents in one step, or throws and
  // changes nothing.
  private take(answer: ArrayBuffer): number {
    const response = readStateResponse(answer)
    // Two loads may cross, and the older answer does not win. An answer computed from an older
    // revision lacks nothing: contents kept from that revision to this one were kept in each
    // revision between them.
    if (response.state.revision > (this.current?.revision ?? 0)) {
      this.current = response.state
      this.lease = new Lease()
      blobs.take(response)
    }
    return response.state.revision
  }

  private following = false
  private notBefore = 0

  // follow reads the server's stream of revision numbers until it ends. At the latest it ends
  // when the browser stops this worker.
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
      // The next request without a lease asks the server and reports the error.
      if (!heard) this.notBefore = Date.now() + refusedFor
    } finally {
      this.following = false
    }
  }

  // hear handles a revision number from the stream.
  private hear(revision: number): void {
    if (!Number.isSafeInteger(revision)) return
    this.told = Math.max(this.told, revision)
    this.catchUp()
  }

  // catchUp acknowledges told to the server, which waits for it. It does nothing while the
  // first answer is under way: told is usually that answer's own revision, which needs no
  // acknowledgment. It is called again afterwards.
  private catchUp(): void {
    if (this.told > this.said && this.loading?.number !== 1) this.begin().state.catch(() => undefined) // The next request asks again.
  }
}

export const states = new States()

function pause(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, appPause))
}

// opened caches each state's program, so that it is opened once.
const opened = new WeakMap<State, { program: Program | undefined }>()

// programOf returns undefined if the state's program cannot be read. Everything is then
// blocked.
export function programOf(state: State): Program | undefined {
  let known = opened.get(state)
  if (known === undefined) {
    known = { program: openProgram(state.program) }
    opened.set(state, known)
  }
  return known.program
}
