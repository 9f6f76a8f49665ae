// A JSON file shown as a document, and its realm.
import { reach } from './reach.shared.js'

export default (t) => reach(t, (frame) => { frame.src = t.file('json.inner.json') })
