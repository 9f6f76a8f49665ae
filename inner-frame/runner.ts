// Running executions, each in its own worker. A worker can be terminated whatever it
// does. In a frame, an endless loop would stop the view, every other frame of this
// origin, and in some browsers the embedding page.
import { execution, paths, type End, type Ended, type Ping, type Pong, type Run } from '../protocol/protocol.gen'

export function runExecutions(outer: string): void {
  const workers = new Map<string, Worker>()

  const end = (id: string): void => {
    workers.get(id)?.terminate()
    workers.delete(id)
    const message: Ended = { kind: 'ended', execution: id }
    parent.postMessage(message, outer)
  }

  const start = (id: string, port: MessagePort): void => {
    try {
      const worker = new Worker(`${paths.execution}${id}/${execution.worker}`, { type: 'module' })
      workers.set(id, worker)
      // A script that could not be loaded causes a plain event. An error that the code
      // throws causes an ErrorEvent, and has been reported from inside.
      worker.onerror = (event) => {
        if (!(event instanceof ErrorEvent)) end(id)
      }
      worker.postMessage(null, [port])
    } catch {
      end(id)
    }
  }

  const pong: Pong = { kind: 'pong' }
  addEventListener('message', (event: MessageEvent<Run | End | Ping>) => {
    if (event.source !== parent || event.origin !== outer) return
    const message = event.data
    switch (message.kind) {
      case 'run': {
        const [port] = event.ports
        if (port !== undefined) start(message.execution, port)
        return
      }
      case 'end':
        end(message.execution)
        return
      case 'ping':
        parent.postMessage(pong, outer)
        return
      default:
        message satisfies never
    }
  })
}
