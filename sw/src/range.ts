// Range requests (RFC 9110, section 14): one range of bytes.

export type Range =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly first: number; readonly last: number }
  | { readonly kind: 'unsatisfiable' }

const whole: Range = { kind: 'whole' }

// parseRange reads the header against a file's size. A header that is not a
// single range of bytes is ignored, as RFC 9110 allows: the whole is sent.
export function parseRange(header: string | null, size: number): Range {
  if (header === null || !header.toLowerCase().startsWith('bytes=')) return whole
  const spec = header.slice('bytes='.length).trim()
  const dash = spec.indexOf('-')
  if (dash < 0 || spec.includes(',')) return whole
  const from = digits(spec.slice(0, dash).trim())
  const to = digits(spec.slice(dash + 1).trim())
  if (from === undefined || to === undefined) return whole
  if (from === null) {
    // bytes=-N: the last N bytes.
    if (to === null) return whole
    if (to === 0 || size === 0) return { kind: 'unsatisfiable' }
    return { kind: 'part', first: Math.max(0, size - to), last: size - 1 }
  }
  if (to !== null && to < from) return whole
  if (from >= size) return { kind: 'unsatisfiable' }
  return { kind: 'part', first: from, last: Math.min(to ?? size - 1, size - 1) }
}

// digits returns null for an empty text, and undefined for a text that is not a number.
function digits(text: string): number | null | undefined {
  if (text === '') return null
  if (text.length > 15) return undefined
  for (const c of text) if (c < '0' || c > '9') return undefined
  return Number(text)
}
