// Our client script shown as a document, and its realm.
import { reach } from './reach.shared.js'

export default (t) => reach(t, (frame) => { frame.src = '/.bellglass/client.js' })
