// Our own boot page in a frame of the sandbox, and its realm.
import { reach } from './reach.shared.js'

export default (t) => reach(t, (frame) => { frame.src = '/.bellglass/boot' })
