// The page unregisters its worker, and starts a worker from a blob and one from a file.
// @alone: unregisters the worker
import { unregister } from './try.shared.js'

export default async (t) => {
  await unregister()
  for (const script of [t.module(t.everything('postMessage(`tried`)')), t.file('page.inner.js')]) {
    const worker = new Worker(script)
    const failed = new Promise((resolve) => { worker.onerror = resolve })
    if (script.startsWith('blob:')) await Promise.race([t.message('tried', worker), failed])
  }
}
