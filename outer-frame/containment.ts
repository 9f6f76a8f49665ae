// What this browser really enforces, and whether it is enough for the policy. The probe
// runs here, where no code of a sandbox ever runs. A page of the sandbox can reach
// every other document of its own origin, including the boot page of another view, and
// could forge the result there.
import { paths, type BootCode, type Containment, type Demand } from '../protocol/protocol.gen'

const probeDeadline = 10_000 // milliseconds

// Missing is the failure if the policy demands more than the browser gives.
export interface Missing {
  readonly code: BootCode
  readonly text: string
  readonly advice: string
}

export class Gate {
  // level is what the browser was observed to enforce. It never rejects.
  readonly level: Promise<Containment>
  // known is level, or '' until the probe has ended.
  known: Containment = ''
  private enough: readonly Containment[]
  private audit: boolean

  constructor({ enough, audit }: Pick<Demand, 'enough' | 'audit'>) {
    this.enough = enough
    this.audit = audit
    this.level = probe().then((level) => (this.known = level))
  }

  // isOpen reports whether the policy accepts any browser, so that nothing has to wait.
  isOpen(): boolean {
    return this.enough.includes('csp')
  }

  demanded({ enough, audit }: Demand): void {
    this.enough = enough
    this.audit = audit
  }

  // shown is the containment that the user sees.
  shown(): Containment {
    return this.known !== '' && this.audit ? 'audit' : this.known
  }

  // missing returns why nothing may run, if that is so. A document loaded after a
  // change of the policy can demand more than this frame knows of.
  async missing(enough: readonly Containment[] = this.enough): Promise<Missing | undefined> {
    if (enough.includes('csp') && this.isOpen()) return undefined
    const level = await this.level
    if (enough.includes(level) && this.enough.includes(level)) return undefined
    return level === 'allowlist'
      ? {
          code: 'containment-missing',
          text: 'The policy demands full containment, which no known browser provides. This one enforces Connection-Allowlist, but WebRTC and preconnect hints can bypass it. Nothing ran.',
          advice: 'To accept these two gaps, set containment: allowlist in the policy.',
        }
      : {
          code: 'containment-missing',
          text: 'The policy demands more containment than this browser provides. The browser does not enforce Connection-Allowlist, so data could bypass the rules. Nothing ran.',
          advice: 'Use Chromium, Chrome or Edge 152 or later with containment: allowlist, or accept less containment with containment: csp in the policy.',
        }
  }
}

// probe returns 'allowlist' only if it observed both halves. It requests two addresses
// of this origin; the server answers both, and Content-Security-Policy allows both. The
// one in this page's Connection-Allowlist was reached, and the other one was not. Any
// doubt means 'csp', the weaker claim.
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

// ask fetches without the HTTP cache and without cookies: a sandbox can have set
// cookies that make one request fail and not the other. It uses a full URL, because a
// path that starts with two slashes is another host's address.
function ask(path: string, signal: AbortSignal): Promise<Response> {
  return fetch(location.origin + path, { cache: 'no-store', credentials: 'omit', signal })
}
