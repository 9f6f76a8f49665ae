// A frame that is given a wider policy by its csp attribute (CSP Embedded Enforcement), and its realm.
import { reach } from './reach.shared.js'

export default (t) => reach(t, (frame) => {
  frame.setAttribute('csp', "default-src * 'unsafe-inline'; connect-src *")
  frame.srcdoc = '<p>'
})
