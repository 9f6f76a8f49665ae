// The worker's state (revision, policy headers, rules, files): fetched from the
// server with the secret, replaced whole, never patched, never taken from
// anywhere else. It is answered from memory only on a lease (server/leases.go): a
// change on the server is not over before this worker has said that it was told of
// it, or the lease is over.
import { leaseHeader, paths, version } from '../../protocol/protocol.gen'
import { blobs } from './blobs'
import { Lease, moment } from './lease'
import { openProgram, type Program } from './program'
import { ask } from './server'
import type { State } from './state.gen'

// A stream that was refused is not asked for again at once: without it there is no
// lease, and each request asks the server.
const refusedFor = 10_000 // milliseconds

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

  // vouched gives the state in memory, unless there may be a newer one.
  private vouched(): State | undefined {
    const state = this.current
    return state !== undefined && state.revision >= this.told && this.lease.holds() ? state : undefined
  }

  private begin(): Load {
    const load: Load = {
      number: ++this.begun,
      state: this.load().finally(() => {
        if (this.loading === load) this.loading = undefined
      }),
    }
    this.loading = load
    return load
  }

  private async load(): Promise<State> {
    const asked = moment()
    const have = this.current?.revision ?? 0
    this.said = this.told
    const response = await ask(`${paths.state}?have=${have}&told=${this.told}&holder=${holder}`)
    const revision = response.status === 204 ? have : await this.take(response)
    if (this.current === undefined) throw new Error('the server sent no state')
    if (revision === this.current.revision) this.lease = this.lease.orLater(asked, Number(response.headers.get(leaseHeader)))
    void this.follow()
    return this.current
  }

  private async take(response: Response): Promise<number> {
    const state = (await response.json()) as State
    if (state.protocol !== version) {
      throw new Error(`the server speaks protocol ${state.protocol}, this worker ${version}`)
    }
    // Two loads may cross; the older answer does not win.
    if (state.revision > (this.current?.revision ?? 0)) {
      this.current = state
      this.lease = new Lease()
      blobs.expect(state.files)
    }
    return state.revision
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
      const response = await ask(`${paths.changes}?holder=${holder}`, { stream: true })
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

  // hear is told of a revision, and says so to the server, which waits for it. The
  // first one is known mostly; then this is how a worker comes by its first lease.
  private hear(revision: number): void {
    if (!Number.isSafeInteger(revision)) return
    this.told = Math.max(this.told, revision)
    if (this.told > this.said) this.begin().state.catch(() => undefined) // The next request asks again.
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
