// File contents by hash. Small ones come with the state, by the server's choice, and
// are kept in memory; all others are streamed from the server each time, with the
// Range that the page asked for.
import { contentHeader } from '../../protocol/protocol.gen'
import type { Content, Parcel } from './parcel'
import { askContents, blobPath } from './server'
import type { File } from './state.gen'

class Blobs {
  private kept: ReadonlyMap<string, Content> = new Map()

  // take keeps what the server has said that belongs to the state, and nothing else.
  // What should be here already and is not is fetched when it is asked for.
  take({ kept, sent }: Parcel): void {
    const all = new Map(sent)
    for (const hash of kept) {
      const content = this.kept.get(hash)
      if (content !== undefined) all.set(hash, content)
    }
    this.kept = all
  }

  // whole gives the whole content as bytes.
  async whole(file: File): Promise<Content> {
    const kept = this.kept.get(file.hash)
    if (kept !== undefined) return kept
    return new Uint8Array(await (await askContents(blobPath(file.hash))).arrayBuffer())
  }

  // body gives the content from first to last (both inclusive) as a body.
  async body(file: File, first: number, last: number): Promise<BodyInit | null> {
    if (last < first) return null
    const kept = this.kept.get(file.hash)
    if (kept !== undefined) return kept.subarray(first, last + 1)
    const partial = first > 0 || last < file.size - 1
    const response = await askContents(blobPath(file.hash), { stream: true, ...(partial ? { headers: { Range: `bytes=${first}-${last}` } } : {}) })
    if (partial && response.status !== 206) throw new Error(`the server ignored the range of ${file.path}`)
    return response.body
  }

  // handOn gives the server's own answer for the content, from first to last: a
  // browser passes such a body on without this worker, and one that goes through a
  // new Response chunk by chunk. It is the server's that was asked for at the page's
  // own address, by which a stylesheet or a module finds what it loads. It gives
  // undefined for what is in memory, and where the answer has other headers than it
  // must have, because the policy has changed since.
  //
  // What headers call a part is asked for as one, even if it is the whole: a media
  // element begins with such a part, and Chromium (156) ends a medium of which one
  // part was handed on and another was not.
  async handOn(url: URL, file: File, first: number, last: number, headers: Readonly<Record<string, string>>): Promise<Response | undefined> {
    if (last < first || this.kept.has(file.hash)) return undefined
    const partial = 'Content-Range' in headers
    const response = await askContents(url.pathname + url.search, {
      stream: true, headers: { [contentHeader]: `${file.hash} ${file.type}`, ...(partial ? { Range: `bytes=${first}-${last}` } : {}) },
    })
    const same = Object.entries(headers).every(([name, value]) => response.headers.get(name) === value)
    if (same && response.status === (partial ? 206 : 200)) return response
    void response.body?.cancel()
    return undefined
  }
}

export const blobs = new Blobs()
