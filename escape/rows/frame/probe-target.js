// The text that our probe asks for, shown as a document, and its realm.
import { reach } from './reach.shared.js'

export default (t) => reach(t, (frame) => { frame.src = '/.bellglass/probe-target' })
