// The worker's page for a file that does not exist, and its realm.
import { reach } from './reach.shared.js'

export default (t) => reach(t, (frame) => { frame.src = '/missing/page.html' })
