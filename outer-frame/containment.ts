// What does this browser really enforce, and is it enough for the policy? Asked from
// here, where no code of a sandbox ever runs: a page of the sandbox can reach every
// other document of its own origin, the boot page of another view too, and could answer
// in the browser's place.
import { paths, type BootCode, type Containment, type Demand } from '../protocol/protocol.gen'

const probeDeadline = 10_000 // milliseconds

// Missing is said where the policy demands more than there is.
export interface Missing {
  readonly code: BootCode
  readonly text: string
  readonly advice: string
}

export class Gate {
  // level is what the browser was seen to enforce. It never rejects.
  readonly level: Promise<Containment>
  // known is level, or '' until then.
  known: Containment = ''
  private enough: readonly Containment[]
  private audit: boolean

  constructor({ enough, audit }: Pick<Demand, 'enough' | 'audit'>) {
    this.enough = enough
    this.audit = audit
    this.level = probe().then((level) => (this.known = level))
  }

  // isOpen: the policy takes any browser, so that nothing need be waited for.
  isOpen(): boolean {
    return this.enough.includes('csp')
  }

  demanded({ enough, audit }: Demand): void {
    this.enough = enough
    this.audit = audit
  }

  // shown is what a person is told of the containment.
  shown(): Containment {
    return this.known !== '' && this.audit ? 'audit' : this.known
  }

  // missing says why nothing may run, if that is so. A document can demand more than
  // this frame has heard of, when it was loaded after a change of the policy.
  async missing(enough: readonly Containment[] = this.enough): Promise<Missing | undefined> {
    if (enough.includes('csp') && this.isOpen()) return undefined
    const level = await this.level
    if (enough.includes(level) && this.enough.includes(level)) return undefined
    return level === 'allowlist'
      ? {
          code: 'containment-missing',
          text: 'The policy demands full containment. This browser enforces Connection-Allowlist, and lets WebRTC and hints that outlive their page past it, as every browser does that is known. Nothing was run.',
          advice: 'Write containment: allowlist into the policy if it is enough for you that everything but those two is contained.',
        }
      : {
          code: 'containment-missing',
          text: 'The policy demands more containment than this browser gives: it does not enforce Connection-Allowlist, so data could get out past the rules. Nothing was run.',
          advice: 'Use Chromium, Chrome or Edge 152 or later with containment: allowlist, or write containment: csp into the policy if that is enough for you.',
        }
  }
}

// probe claims 'allowlist' only when both halves were seen: of two addresses of this
// origin, both of which the server answers and Content-Security-Policy allows,
// the one that this page's Connection-Allowlist has was reached, and the one that it
// has not was not. Any doubt is 'csp', which claims least.
async function probe(): Promise<Containment> {
  const signal = AbortSignal.timeout(probeDeadline)
  try {
    const [listed, unlisted] = await Promise.all([
      ask(paths.listed, signal).then((response) => response.ok),
      ask(paths.unlisted, signal).then(() => true, () => signal.aborted),
    ])
    return listed && !unlisted ? 'allowlist' : 'csp'
  } catch {
    return 'csp'
  }
}

// ask fetches past the HTTP cache, and without cookies: a sandbox can have set some that
// make the one request fail and not the other. The path alone would not do as an
// address, for one that begins with two slashes is another host's.
function ask(path: string, signal: AbortSignal): Promise<Response> {
  return fetch(location.origin + path, { cache: 'no-store', credentials: 'omit', signal })
}
