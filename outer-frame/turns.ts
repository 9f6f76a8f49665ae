// A browser opens six connections to one host name (HTTP/1.1), and counts all
// frames of this origin together, those of other sandboxes and in other tabs too.
// A stream keeps one for good: with a seventh frame on the page the frames before
// it would take them all, and nothing of this origin would ever load again. So a
// few streams are open at once, and where there are more frames than that they
// take turns. Nothing is lost: the next stream goes on after the last event.
//
// HTTP/2 has one connection for all, with a hundred streams and more (nginx 128, Go 250).
// Each view has one stream here and one of its worker, which a browser may put on the
// same connection (RFC 9113, section 9.1.1).

const places = overHTTP2() ? 40 : 4 // of a hundred streams, or of six connections; pages and reports need some, too
const turn = 1_000 // milliseconds that a stream has at least, when another waits
const asking = 500 // milliseconds between two words of who waits

interface Wanted {
  readonly kind: 'wanted'
  readonly place: string
}

// takeTurns calls begin when this frame's turn has come and end when it is over,
// again and again, until the function that it returns is called, which ends the
// last. While busy it keeps its turn. A browser that keeps locks from framed sites
// gets one turn without an end.
export function takeTurns(begin: () => void, end: () => void, busy: () => boolean): () => void {
  let over = false
  let leave = (): void => {}
  let channel: BroadcastChannel | undefined

  // A turn ends when somebody waits for its place and it has lasted long enough;
  // and who waits asks again. No timer of this frame's decides: in a tab that is
  // not seen it could come a minute late.
  const take = async (place: string, told: BroadcastChannel): Promise<void> => {
    if (over) return
    const since = performance.now()
    begin()
    await new Promise<void>((resolve) => {
      leave = resolve
      told.onmessage = ({ data }: MessageEvent<Wanted>) => {
        if (data.kind === 'wanted' && data.place === place && performance.now() - since >= turn && !busy()) resolve()
      }
    })
    told.onmessage = null
    if (!over) end()
  }

  const cycle = async (): Promise<void> => {
    const told = channel = new BroadcastChannel('bellglass-turns')
    while (!over) {
      if (await takeFree((place) => take(place, told))) continue
      const place = await shortest()
      const wanted: Wanted = { kind: 'wanted', place }
      told.postMessage(wanted)
      const timer = setInterval(() => told.postMessage(wanted), asking)
      await navigator.locks.request(place, async () => {
        clearInterval(timer)
        await take(place, told)
      })
    }
  }

  cycle().catch(() => {
    if (!over) begin()
  })
  return () => {
    over = true
    leave()
    channel?.close()
    end()
  }
}

// overHTTP2 reports whether this page came over HTTP/2 or a later version.
function overHTTP2(): boolean {
  const [loaded] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return loaded !== undefined && /^h[23]/.test(loaded.nextHopProtocol)
}

function names(): string[] {
  return Array.from({ length: places }, (_, i) => `bellglass-stream-${i}`)
}

// takeFree takes a place that nobody has and nobody waits for, if there is one.
async function takeFree(take: (place: string) => Promise<void>): Promise<boolean> {
  for (const place of names()) {
    const taken = await navigator.locks.request(place, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await take(place)
      return lock !== null
    })
    if (taken) return true
  }
  return false
}

// shortest finds a place for which the fewest wait.
async function shortest(): Promise<string> {
  const { pending = [] } = await navigator.locks.query()
  const waiting = (place: string): number => pending.filter(({ name }) => name === place).length
  const all = names().map((place) => ({ place, rank: waiting(place) + Math.random() / 2 }))
  all.sort((a, b) => a.rank - b.rank)
  return all[0]?.place ?? ''
}
