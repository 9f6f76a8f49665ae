// File contents by hash. Small contents come with the state, as the server chooses, and are
// kept in memory. All others are streamed from the server each time, with the Range that the
// page requested.
import { contentHeader } from '../../protocol/protocol.gen'
import type { Content, StateResponse } from './stateresponse'
import { askContents, blobPath } from './server'
import type { File } from './state.gen'

class Blobs {
  private kept: ReadonlyMap<string, Content> = new Map()

  // take keeps exactly the contents that the server assigned to the state. A content that the
  // server believes to be here, but is not, is fetched when it is requested.
  take({ kept, sent }: StateResponse): void {
    const all = new Map(sent)
    for (const hash of kept) {
      const content = this.kept.get(hash)
      if (content !== undefined) all.set(hash, content)
    }
    this.kept = all
  }

  // whole returns the whole content as bytes.
  async whole(file: File): Promise<Content> {
    const kept = this.kept.get(file.hash)
    if (kept !== undefined) return kept
    return new Uint8Array(await (await askContents(blobPath(file.hash))).arrayBuffer())
  }

  // body returns the content from first to last (both inclusive) as a body.
  async body(file: File, first: number, last: number): Promise<BodyInit | null> {
    if (last < first) return null
    const kept = this.kept.get(file.hash)
    if (kept !== undefined) return inOneChunk(kept.subarray(first, last + 1))
    const partial = first > 0 || last < file.size - 1
    const response = await askContents(blobPath(file.hash), { stream: true, ...(partial ? { headers: { Range: `bytes=${first}-${last}` } } : {}) })
    if (partial && response.status !== 206) throw new Error(`the server ignored the range of ${file.path}`)
    return response.body
  }

  // handOn returns the server's own response for the content, from first to last. A browser
  // forwards the body of such a response without this worker, but copies the body of a new
  // Response through it chunk by chunk. The worker requests the content at the page's own
  // address, because stylesheets and modules resolve what they load against the response's
  // URL. handOn returns undefined for contents in memory. It also returns undefined if the
  // response's headers differ from the required ones, because the policy has changed since.
  //
  // If headers describe a part, handOn requests a part, even if that is the whole content. A
  // media element begins with such a part, and Chromium (156) aborts a medium if one of its
  // parts was handed on and another was not.
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

// inOneChunk returns a body for bytes in memory. Of a body that is an array, Chromium (156) makes a
// blob first: a load of 308 files took 240 ms longer that way.
export function inOneChunk(content: Content): ReadableStream<Content> {
  return new ReadableStream({
    start: (body) => {
      body.enqueue(content)
      body.close()
    },
  })
}

export const blobs = new Blobs()
