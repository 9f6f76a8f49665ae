// The refusal that the boot page's own list keeps it from, and its realm.
import { reach } from './reach.shared.js'

export default (t) => reach(t, (frame) => { frame.src = `${location.origin}//unlisted` })
