// The first script of every HTML document of the sandbox. It gives the outer frame a
// port, and reports console lines, uncaught errors, and violations on it.
//
// It shares its realm with untrusted code, which can stop it or imitate it. So
// everything it says is marked as the page's word. It takes what it needs from the
// page's globals before any other script runs, so that a page that merely patches them
// does not break it by accident.
import { version, type Bye, type DocumentMessage, type Hello, type PageReport, type Path, type Pong, type Reports, type Size } from '../protocol/protocol.gen'
import { outermost } from './ancestors'
import { watchAttempts } from './attempts'
import { watchBlocks } from './blocked'
import { watchConsole } from './console'
import { watchCookies } from './cookies'
import type { ClientConfig } from './data.gen'
import { watchErrors, watchRejections, watchViolations } from './errors'
import { restore } from './fields'
import { Height } from './height'
import { HotModules } from './hot'
import { watchLeaving } from './leaving'
import { here, updater, watchPath } from './live'
import { arrived } from './reload'

const { revision = '', config = '' } = document.currentScript?.dataset ?? {}
const { outer, granted } = JSON.parse(config) as ClientConfig
// Remove the script element, so that the document is what its author wrote. A framework
// that hydrates the whole document, or an app that saves it, finds no element of ours.
document.currentScript?.remove()
arrived()
const view = outermost()
const port = connect()
if (port !== undefined) {
  const report = reporter(port)
  answer(port, new HotModules((path) => report(() => ({ kind: 'invalidate', path }))))
  watchBlocks()
  watchConsole(report)
  watchErrors(report)
  watchRejections(report)
  watchViolations(report)
  watchCookies(report)
  watchAttempts(report, granted)
  if (origin === location.origin && view === window) watchLeaving(report)
  if (view === window) tellPath(port)
}

// connect returns a port to the outer frame, the parent of the view.
function connect(): MessagePort | undefined {
  if (view.parent === view) return undefined
  const { port1, port2 } = new MessageChannel()
  const hello: Hello = { kind: 'hello', protocol: version, revision: Number(revision), path: here() }
  view.parent.postMessage(hello, outer, [port2])
  return port1
}

// answer tells the outer frame, when asked, that the document runs, and when it goes.
// The view's own document also reports its height and shows a newer revision on request.
function answer(port: MessagePort, hot: HotModules): void {
  const post = port.postMessage.bind(port)
  const pong: Pong = { kind: 'pong' }
  const bye: Bye = { kind: 'bye' }
  let height: Height | undefined
  const update = updater(post, hot)
  port.onmessage = ({ data }: MessageEvent<DocumentMessage>) => {
    switch (data.kind) {
      case 'ping':
        return post(pong)
      case 'update':
        return update(data)
      case 'restore':
        return restore(data.fields)
      case 'measure':
        height ??= new Height((height) => post({ kind: 'size', height } satisfies Size))
        if (data.on) height.watch()
        else height.stop()
        return
      default:
        data satisfies never
    }
  }
  addEventListener('pagehide', () => post(bye))
}

function tellPath(port: MessagePort): void {
  const post = port.postMessage.bind(port)
  watchPath((path) => post({ kind: 'path', path } satisfies Path))
}

// Reports of one task travel together. Beyond this many, the rest of the task's reports
// are dropped, and the outer frame counts them.
const perTurn = 200

// A report that fails, because the page has replaced what it is made with, is counted
// as dropped, too.
function reporter(port: MessagePort): (make: () => PageReport) => void {
  const { setTimeout } = window
  const post = port.postMessage.bind(port)
  let turn: PageReport[] = []
  let missing = 0
  const flush = (): void => {
    const batch: Reports = { reports: turn, dropped: missing }
    turn = []
    missing = 0
    try {
      post(batch)
    } catch {
      post({ reports: [], dropped: batch.reports.length + batch.dropped })
    }
  }
  return (make) => {
    if (turn.length === 0 && missing === 0) setTimeout(flush, 0)
    try {
      if (turn.length < perTurn) turn.push(make())
      else missing++
    } catch {
      missing++
    }
  }
}
