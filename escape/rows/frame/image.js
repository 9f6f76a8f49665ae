// An image file shown as a document, and its realm.
import { reach } from './reach.shared.js'

export default (t) => reach(t, (frame) => { frame.src = t.file('image.inner.gif') })
