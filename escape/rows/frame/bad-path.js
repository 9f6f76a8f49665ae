// The refusal of a path with an encoded slash, and its realm.
import { reach } from './reach.shared.js'

export default (t) => reach(t, (frame) => { frame.src = '/rows%2fframe' })
