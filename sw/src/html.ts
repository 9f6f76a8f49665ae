// Inserts the client script at the head of an HTML document.
// Only the start of a document is searched: a doctype further down has no effect.
const window = 4096 // bytes

// withClient inserts the script's element after the doctype, where the parser makes it the
// first one of the head. Before the doctype, it would put the document into quirks mode. Bytes
// are never decoded, so the document keeps its encoding. A document in UTF-16, which a BOM
// announces, is left unchanged.
export function withClient(document: Uint8Array<ArrayBuffer>, element: string): Uint8Array<ArrayBuffer> {
  if ((document[0] === 0xfe && document[1] === 0xff) || (document[0] === 0xff && document[1] === 0xfe)) return document
  const script = new TextEncoder().encode(element)
  const at = insertionPoint(document)
  const out = new Uint8Array(document.length + script.length)
  out.set(document.subarray(0, at), 0)
  out.set(script, at)
  out.set(document.subarray(at), at + script.length)
  return out
}

// insertionPoint returns the byte offset at which withClient inserts: after BOM, white space,
// comments, and doctype. The comments <!--> and <!---> end where they begin, and an HTML parser
// treats an XML declaration as a comment. Latin-1 maps each byte to one character, so offsets
// in the text are offsets in the bytes.
export function insertionPoint(document: Uint8Array): number {
  const text = latin1(document.subarray(0, window))
  let at = text.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0
  const start = at
  for (;;) {
    while (at < text.length && ' \t\n\f\r'.includes(text.charAt(at))) at++
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 2)
      if (end < 0) return start
      at = end + 3
      continue
    }
    if (text.startsWith('<?', at)) {
      const end = text.indexOf('>', at)
      if (end < 0) return start
      at = end + 1
      continue
    }
    if (text.slice(at, at + 9).toLowerCase() === '<!doctype') {
      const end = text.indexOf('>', at)
      return end < 0 ? start : end + 1
    }
    return start
  }
}

function latin1(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}
