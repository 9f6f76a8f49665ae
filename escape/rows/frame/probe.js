// The text that the boot page asks for, shown as a document, and its realm.
import { reach } from './reach.shared.js'

export default (t) => reach(t, (frame) => { frame.src = '/.bellglass/probe' })
