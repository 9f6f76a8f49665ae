// The object through which isolated code asks the page around the outer frame. It has
// each method that was granted, and no trace of the others.
import type { Answered, Ask } from '../protocol/protocol.gen'
import type { HostMethod } from './btcp.gen'

interface Place {
  readonly at: readonly (readonly [object: string, name: string])[]
  readonly params: readonly string[]
}

// Each method's path in the object, and the names of its parameters.
const places: Readonly<Record<HostMethod, Place>> = {
  'dom.querySelector': { at: [['dom', 'querySelector'], ['parentDOM', 'querySelector']], params: ['selector'] },
  'dom.querySelectorAll': { at: [['dom', 'querySelectorAll']], params: ['selector'] },
  'dom.getTextContent': { at: [['dom', 'getTextContent']], params: ['selector'] },
  'dom.setTextContent': { at: [['dom', 'setTextContent']], params: ['selector', 'value'] },
  'dom.click': { at: [['dom', 'click']], params: ['selector'] },
  'storage.local.getItem': { at: [['localStorage', 'getItem']], params: ['key'] },
  'storage.local.setItem': { at: [['localStorage', 'setItem']], params: ['key', 'value'] },
}

type Method = (...given: readonly unknown[]) => Promise<unknown>

export function apiOf(methods: readonly string[], port: MessagePort): object {
  const waiting = new Map<number, (answer: Answered) => void>()
  let last = 0
  port.onmessage = ({ data }: MessageEvent<Answered>) => {
    waiting.get(data.ask)?.(data)
    waiting.delete(data.ask)
  }
  const api: Record<string, Record<string, Method>> = {}
  for (const method of methods) {
    const place = (places as Readonly<Record<string, Place>>)[method]
    if (place === undefined) continue
    const call: Method = (...given) => new Promise((resolve, reject) => {
      const ask: Ask = { kind: 'ask', ask: ++last, method, params: Object.fromEntries(place.params.map((name, i) => [name, given[i]])) }
      port.postMessage(ask) // throws, and so rejects, if the message cannot be cloned
      waiting.set(ask.ask, ({ result, error }) => {
        if (error === '') resolve(result)
        else reject(new Error(error))
      })
    })
    for (const [object, name] of place.at) (api[object] ??= {})[name] = call
  }
  return api
}
