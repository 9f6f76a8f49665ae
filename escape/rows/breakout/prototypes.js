// Prototypes of the page poisoned under our client script, so that what the script holds falls into the page's hands.
// @alone: changes prototypes
import { breach, turns } from './around.shared.js'

export default async (t) => {
  let caught = ''
  for (const [prototype, name] of [[MessagePort.prototype, 'postMessage'], [EventTarget.prototype, 'addEventListener'], [Function.prototype, 'call'], [Array.prototype, 'push']]) {
    const original = prototype[name]
    prototype[name] = function (...args) {
      for (const arg of args) if (typeof arg === 'string') caught += arg
      return Reflect.apply(original, this, args)
    }
  }
  console.error(t.http('line'))
  reportError(new Error(t.http('error')))
  await turns()
  await fetch(t.http('patched'), { mode: 'no-cors' }).catch(() => {})
  if (caught.includes('token=')) await breach(t, 'the page has seen a token')
}
