// The page widens its domain to that which it shares with the outer frame and with siblings, and reaches for them.
// @alone: changes the origin
// @control: none, no page above widens its own
import { breach } from './around.shared.js'

export default async (t) => {
  for (const domain of ['sandbox.localhost', 'localhost']) {
    try {
      document.domain = domain
    } catch {
      continue // sandboxed documents may not
    }
    if (document.domain === domain) await breach(t, `the page is now of ${domain}`)
  }
}
