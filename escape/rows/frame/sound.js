// A sound file shown as a document, which the browser then asks for in ranges, and its realm.
import { reach } from './reach.shared.js'

export default (t) => reach(t, (frame) => { frame.src = t.file('sound.inner.wav') })
