// Slots for event streams. A browser opens six connections to one host name (HTTP/1.1), and
// counts together all frames of this origin, including those of other sandboxes and other
// tabs. A stream holds one connection forever. So six frames could take them all, and
// nothing of this origin would ever load again. Therefore only a few streams are open at
// once. If there are more frames, they take turns. No event is lost: the next stream
// continues after the last event.
//
// HTTP/2 has one connection for all, with at least a hundred streams (nginx 128, Go 250).
// Each view has one stream here and one of its worker, which a browser may put on the same
// connection (RFC 9113, section 9.1.1).

const slots = overHTTP2() ? 40 : 4 // of 100 streams, or of 6 connections; pages and reports need the others
const turn = 1_000 // milliseconds: a stream's minimum time while another frame waits
const asking = 500 // milliseconds between two messages of a waiting frame

interface Wanted {
  readonly kind: 'wanted'
  readonly place: string
}

// takeTurns calls begin when this frame gets a slot and end when it has to leave it, again
// and again. The function that it returns ends the last turn. A busy frame keeps its slot.
// In a browser that denies locks to framed sites, the only turn never ends.
export function takeTurns(begin: () => void, end: () => void, busy: () => boolean): () => void {
  let over = false
  let leave = (): void => {}
  let channel: BroadcastChannel | undefined

  // A turn ends when another frame asks for the slot and the turn has lasted long enough.
  // Waiting frames ask repeatedly. No timer of this frame decides: in a hidden tab it could
  // fire a minute late.
  const take = async (slot: string, told: BroadcastChannel): Promise<void> => {
    if (over) return
    const since = performance.now()
    begin()
    await new Promise<void>((resolve) => {
      leave = resolve
      told.onmessage = ({ data }: MessageEvent<Wanted>) => {
        if (data.kind === 'wanted' && data.place === slot && performance.now() - since >= turn && !busy()) resolve()
      }
    })
    told.onmessage = null
    if (!over) end()
  }

  const cycle = async (): Promise<void> => {
    const told = channel = new BroadcastChannel('bellglass-turns')
    while (!over) {
      if (await takeFree((slot) => take(slot, told))) continue
      const slot = await shortest()
      const wanted: Wanted = { kind: 'wanted', place: slot }
      told.postMessage(wanted)
      const timer = setInterval(() => told.postMessage(wanted), asking)
      await navigator.locks.request(slot, async () => {
        clearInterval(timer)
        await take(slot, told)
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
  return Array.from({ length: slots }, (_, i) => `bellglass-stream-${i}`)
}

// takeFree takes a slot that no frame has or waits for. It returns false if there is none.
async function takeFree(take: (slot: string) => Promise<void>): Promise<boolean> {
  for (const slot of names()) {
    const taken = await navigator.locks.request(slot, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await take(slot)
      return lock !== null
    })
    if (taken) return true
  }
  return false
}

// shortest returns a slot for which the fewest frames wait.
async function shortest(): Promise<string> {
  const { pending = [] } = await navigator.locks.query()
  const waiting = (slot: string): number => pending.filter(({ name }) => name === slot).length
  const all = names().map((slot) => ({ slot, rank: waiting(slot) + Math.random() / 2 }))
  all.sort((a, b) => a.rank - b.rank)
  return all[0]?.slot ?? ''
}
