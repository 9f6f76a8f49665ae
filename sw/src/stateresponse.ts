// The server's answer to a request for the state (sw/stateresponse.go): the state, with the contents
// that the worker lacks. The worker reads all of it or rejects it.
import { version } from '../../protocol/protocol.gen'
import type { File, PreloadIndex, State } from './state.gen'

export type Content = Uint8Array<ArrayBuffer>

export interface StateResponse {
  readonly state: State
  // kept are the hashes of contents that are in memory already and stay there.
  readonly kept: readonly string[]
  // sent holds the contents that come with the state, by hash.
  readonly sent: ReadonlyMap<string, Content>
}

// readStateResponse throws unless the bytes are exactly one response of this worker's protocol.
export function readStateResponse(bytes: ArrayBuffer): StateResponse {
  const first = part(bytes, 0)
  const state = JSON.parse(first.text) as State
  if (state.protocol !== version) throw new Error(`the server speaks protocol ${state.protocol}, this worker ${version}`)
  if (!Number.isSafeInteger(state.revision) || state.revision < 1 || !Array.isArray(state.files)) throw new Error('the server sent a state without a revision or without files')
  const second = part(bytes, first.end)
  const { kept, sent } = JSON.parse(second.text) as PreloadIndex
  // These are views into a copy, so that the memory of the state's own text can be freed.
  const contents = bytes.slice(second.end)
  const all = new Map<string, Content>()
  let offset = 0
  for (const { hash, size } of named(state, sent)) {
    if (!Number.isSafeInteger(size) || size < 0 || size > contents.byteLength - offset) throw new Error('the server sent a content that is cut off')
    all.set(hash, new Uint8Array(contents, offset, size))
    offset += size
  }
  if (offset !== contents.byteLength) throw new Error(`the server sent ${contents.byteLength - offset} bytes that are no content's`)
  return { state, kept: named(state, kept).map((file) => file.hash), sent: all }
}

// part reads a text that its length precedes.
function part(bytes: ArrayBuffer, from: number): { readonly text: string; readonly end: number } {
  const begin = from + 4
  const end = begin <= bytes.byteLength ? begin + new DataView(bytes).getUint32(from, true) : Infinity
  if (end > bytes.byteLength) throw new Error(`the server sent a state that is cut off after ${bytes.byteLength} bytes`)
  return { text: new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(bytes, begin, end - begin)), end }
}

// named returns the files at these indexes.
function named(state: State, indexes: readonly number[]): File[] {
  if (!Array.isArray(indexes)) throw new Error('the server sent a state and not which contents belong to it')
  return indexes.map((index) => {
    const file = Number.isSafeInteger(index) ? state.files[index] : undefined
    if (file === undefined) throw new Error(`the server sent a content of the file number ${String(index)} of ${state.files.length}`)
    return file
  })
}
