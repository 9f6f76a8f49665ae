// importScripts of the canary, and of an allowed host that redirects there.
import { wait } from './wait.shared.js'

export default (t) => wait(t, new Worker(t.module(`
  for (const url of ['${t.http('script.js')}', '${t.redirect(t.http('redirected.js'))}']) try { importScripts(url) } catch {}
  postMessage('tried')`)))
