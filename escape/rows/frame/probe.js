// Our own probe, which may connect to nothing, and its realm.
import { reach } from './reach.shared.js'

export default (t) => reach(t, (frame) => { frame.src = '/.bellglass/probe' })
