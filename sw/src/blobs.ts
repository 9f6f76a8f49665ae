// File contents by hash. Small ones are fetched ahead in one pack and kept in
// memory; large ones are streamed from the server each time, with the Range
// that the page asked for.
import { contentHeader, paths } from '../../protocol/protocol.gen'
import { ask, blobPath } from './server'
import type { File } from './state.gen'

// One pack of small files costs about as much as two single fetches, so all of
// them up to this much are fetched ahead; beyond it the pack would delay the
// first answer after a wake.
const smallFile = 64 * 1024 // bytes
const packTotal = 8 * 1024 * 1024 // bytes

class Blobs {
  private kept = new Map<string, Uint8Array<ArrayBuffer>>()
  private packed: ReadonlySet<string> = new Set()
  private pack: Promise<void> = Promise.resolve()

  // expect drops what the files no longer name and fetches what they newly name.
  expect(files: readonly File[]): void {
    const wanted = new Map<string, number>()
    let total = 0
    for (const file of files) {
      if (file.size > smallFile || wanted.has(file.hash) || total + file.size > packTotal) continue
      total += file.size
      wanted.set(file.hash, file.size)
    }
    for (const hash of this.kept.keys()) if (!wanted.has(hash)) this.kept.delete(hash)
    const missing = [...wanted.keys()].filter((hash) => !this.kept.has(hash))
    this.packed = new Set(missing)
    if (missing.length > 0) this.pack = this.fetchPack(missing)
  }

  // A pack is a 4-byte little-endian length, that many bytes of JSON
  // [[hash, size], …], and the contents one after the other.
  private async fetchPack(hashes: readonly string[]): Promise<void> {
    try {
      const response = await ask(paths.pack, { method: 'POST', body: JSON.stringify(hashes) })
      const bytes = await response.arrayBuffer()
      const headLength = new DataView(bytes).getUint32(0, true)
      const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, headLength))) as [string, number][]
      let offset = 4 + headLength
      for (const [hash, size] of head) {
        this.kept.set(hash, new Uint8Array(bytes, offset, size))
        offset += size
      }
    } catch {
      // What a failed pack lacks is fetched one by one.
    }
  }

  // whole gives the whole content as bytes.
  async whole(file: File): Promise<Uint8Array<ArrayBuffer>> {
    const kept = await this.memory(file)
    if (kept !== undefined) return kept
    return new Uint8Array(await (await ask(blobPath(file.hash))).arrayBuffer())
  }

  // body gives the content from first to last (both inclusive) as a body.
  async body(file: File, first: number, last: number): Promise<BodyInit | null> {
    if (last < first) return null
    const kept = await this.memory(file)
    if (kept !== undefined) return kept.subarray(first, last + 1)
    const partial = first > 0 || last < file.size - 1
    const response = await ask(blobPath(file.hash), { stream: true, ...(partial ? { headers: { Range: `bytes=${first}-${last}` } } : {}) })
    if (partial && response.status !== 206) throw new Error(`the server ignored the range of ${file.path}`)
    return response.body
  }

  // handOn gives the server's own answer for the content, from first to last: a
  // browser passes such a body on without this worker, and one that goes through a
  // new Response chunk by chunk. It is the server's that was asked for at the page's
  // own address, by which a stylesheet or a module finds what it loads. It gives
  // undefined for what is in memory, and where the answer has other headers than it
  // must have, because the policy has changed since.
  async handOn(url: URL, file: File, first: number, last: number, headers: Readonly<Record<string, string>>): Promise<Response | undefined> {
    if (last < first || (await this.memory(file)) !== undefined) return undefined
    const partial = first > 0 || last < file.size - 1
    const response = await ask(url.pathname + url.search, {
      stream: true, headers: { [contentHeader]: `${file.hash} ${file.type}`, ...(partial ? { Range: `bytes=${first}-${last}` } : {}) },
    })
    const same = Object.entries(headers).every(([name, value]) => response.headers.get(name) === value)
    if (same && response.status === (partial ? 206 : 200)) return response
    void response.body?.cancel()
    return undefined
  }

  private async memory(file: File): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (!this.kept.has(file.hash) && this.packed.has(file.hash)) await this.pack
    return this.kept.get(file.hash)
  }
}

export const blobs = new Blobs()
