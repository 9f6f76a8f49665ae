// The worker's state (revision, policy headers, rules, files): fetched from the
// server with the secret, replaced whole, never patched, never taken from
// anywhere else.
import { paths, version } from '../../protocol/protocol.gen'
import { blobs } from './blobs'
import { openProgram, type Program } from './program'
import { ask } from './server'
import type { State } from './state.gen'

// A stream that was refused is not asked for again at once: what it would tell is
// asked for with each request meanwhile.
const refusedFor = 10_000 // milliseconds

class States {
  private current: State | undefined
  // told is the newest revision that the server's stream has named.
  private told = 0
  // live: the stream is open, so a newer revision would have been told.
  private live = false
  private loading: Promise<State> | undefined

  // recent answers from memory while the stream vouches for it. It is for the
  // requests that a document makes.
  async recent(): Promise<State> {
    const state = this.current
    if (state !== undefined && this.live && state.revision >= this.told) return state
    this.loading ??= this.load().finally(() => (this.loading = undefined))
    return this.loading
  }

  // latest asks the server anew, so that a load which starts after a change was
  // acknowledged sees that change, also if the stream is slower than the load.
  async latest(): Promise<State> {
    return this.load()
  }

  private async load(): Promise<State> {
    const have = this.current?.revision ?? 0
    const response = await ask(`${paths.state}?have=${have}`)
    if (response.status !== 204) {
      const state = (await response.json()) as State
      if (state.protocol !== version) {
        throw new Error(`the server speaks protocol ${state.protocol}, this worker ${version}`)
      }
      // Two loads may cross; the older answer does not win.
      if (state.revision > (this.current?.revision ?? 0)) {
        this.current = state
        blobs.expect(state.files)
      }
    }
    if (this.current === undefined) throw new Error('the server sent no state')
    if (!this.live) void this.follow(this.current.revision)
    return this.current
  }

  private following = false
  private notBefore = 0

  // follow reads the server's stream of revision numbers until it ends, which
  // at the latest is when the browser stops this worker.
  private async follow(since: number): Promise<void> {
    if (this.following || Date.now() < this.notBefore) return
    this.following = true
    try {
      const response = await ask(`${paths.changes}?since=${since}`, { stream: true })
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      let rest = ''
      while (reader !== undefined) {
        const { done, value } = await reader.read()
        if (done) break
        const lines = (rest + value).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) this.hear(Number(line))
      }
    } catch {
      // The next request finds live false, asks the server and says what is wrong.
      if (!this.live) this.notBefore = Date.now() + refusedFor
    } finally {
      this.live = false
      this.following = false
    }
  }

  private hear(revision: number): void {
    if (!Number.isSafeInteger(revision)) return
    this.live = true
    this.told = Math.max(this.told, revision)
    if (this.told > (this.current?.revision ?? 0)) this.recent().catch(() => (this.live = false))
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
