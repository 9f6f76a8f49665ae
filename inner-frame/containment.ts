// What does this browser really enforce? Asked before any untrusted code runs.
import { paths, type Containment } from '../protocol/protocol.gen'
import { within } from './deadline'

const probeDeadline = 5_000 // milliseconds

// probe claims 'allowlist' only when both halves were seen: of two addresses of this
// origin, both of which the server answers and Content-Security-Policy allows,
// the one that this page's Connection-Allowlist has was reached, and the one that it
// has not was not. Any doubt is 'csp', which claims least.
export async function probe(): Promise<Containment> {
  try {
    const [listed, unlisted] = await within(probeDeadline, Promise.all([
      ask(paths.listed).then((response) => response.ok),
      ask(paths.unlisted).then(() => true, () => false),
    ]))
    return listed && !unlisted ? 'allowlist' : 'csp'
  } catch {
    return 'csp'
  }
}

// ask fetches past the HTTP cache, and without cookies: what has run here before could
// have set some that make the one request fail and not the other. The path alone would
// not do as an address, for one that begins with two slashes is another host's.
function ask(path: string): Promise<Response> {
  return fetch(location.origin + path, { cache: 'no-store', credentials: 'omit' })
}
