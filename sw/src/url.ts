// The strict profile of URLs: rules/url.go, settled.go and canonical.go in Go are
// the same functions, and the shared vectors hold the two sides together.
//
// The browser has parsed and serialised the URL already (request.url), and only
// that spelling counts. What remains is to refuse what servers read in
// different ways, and to give the path one spelling. No regular expressions:
// the page chooses the URL, and no URL may make this slow.

import { maxHost } from './program'

// Location is the parts of a canonical URL that rules speak of.
export interface Location {
  // scheme is a number, that of the program.
  readonly scheme: number
  readonly host: string
  readonly port: number
  readonly path: string
  // count is how many labels stand before the last, or -1 if nobody has looked;
  // labelStarts says where each one after the first begins, and labelHashes has
  // the hash of what stands before it. hash is that of the whole host.
  readonly count: number
  readonly hash: number
}

export interface Refusal {
  readonly code: 'noncanonical' | 'too-long' | 'unsupported-scheme'
  readonly reason: string
}

const maxURL = 8_192 // bytes; a serialised URL is ASCII

// schemes are the numbers that the program has for them, ws and wss the highest.
export const schemes = { http: 0, https: 1, ws: 2, wss: 3 } as const

const defaultPorts: readonly number[] = [80, 443, 80, 443]

function schemeNumber(scheme: string): number {
  return Object.hasOwn(schemes, scheme) ? schemes[scheme as keyof typeof schemes] : -1
}

function noncanonical(reason: string): Refusal {
  return { code: 'noncanonical', reason }
}

// locate reads a URL, and on the way it hashes the host, in the base of the
// program that will be asked.
export function locate(serialised: string, base: number): Location | Refusal {
  return settled(serialised, base) ?? strict(serialised)
}

// Of the host that was read last; there is one thread.
const maxLabels = 16
export const labelStarts = new Int32Array(maxLabels)
export const labelHashes = new Int32Array(maxLabels)

function strict(serialised: string): Location | Refusal {
  if (serialised.length > maxURL) {
    return { code: 'too-long', reason: `the URL has ${serialised.length} bytes; up to ${maxURL} are judged` }
  }
  for (let i = 0; i < serialised.length; i++) {
    const c = serialised.charCodeAt(i)
    if (c <= 0x20 || c > 0x7e) return noncanonical(`the URL holds the byte 0x${hex(c)}`)
  }
  const [whole] = cut(serialised, '#')
  const [scheme, rest] = cut(whole, '://')
  const number = schemeNumber(scheme)
  const standard = defaultPorts[number]
  if (rest === undefined || standard === undefined) {
    return { code: 'unsupported-scheme', reason: 'only http, https, ws and wss URLs can be allowed' }
  }
  const [beforeQuery] = cut(rest, '?')
  const slash = beforeQuery.indexOf('/')
  if (slash < 0) return noncanonical('the URL has no path')
  const authority = beforeQuery.slice(0, slash)
  if (authority.includes('@')) return noncanonical('the URL holds a user name or password')

  let host = authority
  let port = standard
  const colon = authority.lastIndexOf(':')
  if (colon >= 0 && colon > authority.lastIndexOf(']')) {
    const text = authority.slice(colon + 1)
    port = decimal(text, 65_535)
    if (port < 1 || port === standard) return noncanonical(`the port "${text}"`)
    host = authority.slice(0, colon)
  }
  const wrong = checkHost(host)
  if (wrong !== undefined) return noncanonical(wrong)
  return canonicalPath(number, host, port, beforeQuery.slice(slash))
}

// settled reads the usual URL, one that is canonical already, in one pass. It
// returns undefined for every URL of which that is not certain, also for many
// that are canonical: strict then does the whole work, and decides.
function settled(raw: string, base: number): Location | undefined {
  if (raw.length > maxURL) return undefined
  let scheme: number
  let start: number
  if (raw.startsWith('https://')) [scheme, start] = [schemes.https, 8]
  else if (raw.startsWith('http://')) [scheme, start] = [schemes.http, 7]
  else if (raw.startsWith('wss://')) [scheme, start] = [schemes.wss, 6]
  else if (raw.startsWith('ws://')) [scheme, start] = [schemes.ws, 5]
  else return undefined
  const standard = scheme % 2 === 1 ? 443 : 80

  let at = start
  let count = 0
  let previous = edge
  let wrong = 0
  let hash = 0
  for (; at < raw.length; at++) {
    const c = raw.charCodeAt(at)
    const kind = classOf(c)
    if ((kind & inHost) === 0) break
    wrong |= kind & previous
    previous = kind
    hash = (Math.imul(hash, base) + c) | 0
    if (c === dotSign) {
      if (count === maxLabels) return undefined
      labelStarts[count] = at + 1 - start
      labelHashes[count] = hash
      count++
    }
  }
  // An edge beside an edge is an empty label, one that begins or ends with a
  // hyphen, or two hyphens, as in punycode. A last label that begins with a digit
  // may be an address.
  if (((wrong | previous) & edge) !== 0 || at - start > maxHost) return undefined
  if (isDigit(raw.charCodeAt(count > 0 ? start + (labelStarts[count - 1] ?? 0) : start))) return undefined
  const host = raw.slice(start, at)

  let port = standard
  if (raw.charCodeAt(at) === colonSign) {
    const first = ++at
    port = 0
    for (; at - first < 6 && isDigit(raw.charCodeAt(at)); at++) port = port * 10 + raw.charCodeAt(at) - 0x30
    if (port < 1 || port > 65_535 || port === standard || raw.charCodeAt(first) === 0x30) return undefined
  }
  if (raw.charCodeAt(at) !== slashSign) return undefined
  const path = at
  for (; at < raw.length; at++) {
    const c = raw.charCodeAt(at)
    if ((classOf(c) & inPath) !== 0) continue
    if (c !== dotSign) break
    if (raw.charCodeAt(at - 1) === slashSign) return undefined // it may be a dot segment
  }
  const location = { scheme, host, port, path: raw.slice(path, at), count, hash }
  if (at === raw.length) return location
  if (raw.charCodeAt(at) !== questionMark) return undefined
  for (at++; at < raw.length; at++) {
    if ((classOf(raw.charCodeAt(at)) & inQuery) === 0) return undefined
  }
  return location
}

// What a character may be part of, as it stands, and what it is in a host.
const inHost = 1
const inPath = 2
const inQuery = 4
const edge = 8 // a dot or a hyphen

// classes: in a query the URL Standard leaves all printable characters alone but
// for five (https://url.spec.whatwg.org/#special-query-percent-encode-set). A dot in
// a path is looked at by itself.
const classes = Uint8Array.from({ length: 0x80 }, (_, c) => {
  if (c <= 0x20 || c > 0x7e) return 0
  return (isLower(c) || isDigit(c) || c === 0x2d || c === 0x5f || c === 0x2e ? inHost : 0) | (c === 0x2f || (isPchar(c) && c !== 0x2e) ? inPath : 0) |
    (`"#'<>`.includes(String.fromCharCode(c)) ? 0 : inQuery) | (c === 0x2d || c === 0x2e ? edge : 0)
})

function classOf(c: number): number {
  return classes[c] ?? 0
}

// cut returns what stands before and after the first separator; after is
// undefined if there is none.
function cut(text: string, separator: string): [before: string, after: string | undefined] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)]
}

// decimal reads a number in plain decimal up to max, or returns -1.
function decimal(text: string, max: number): number {
  if (text === '' || text.length > 5) return -1
  for (let i = 0; i < text.length; i++) {
    if (!isDigit(text.charCodeAt(i))) return -1
  }
  const n = Number(text)
  return n <= max && String(n) === text ? n : -1
}

// checkHost says what is wrong with a host, if anything is.
function checkHost(host: string): string | undefined {
  if (host.startsWith('[')) return checkIPv6(host)
  const labels = host.split('.')
  for (const [i, label] of labels.entries()) {
    if (label === '') return i > 0 && i === labels.length - 1 ? 'the host ends in a dot' : 'the host has an empty label'
    if (label.startsWith('-') || label.endsWith('-')) return 'a label of the host begins or ends with a hyphen'
    for (let j = 0; j < label.length; j++) {
      const c = label.charCodeAt(j)
      if (!isLower(c) && !isDigit(c) && c !== hyphen && c !== underscore) return `the host holds the character '${label[j]}'`
    }
  }
  if (host.includes('_') && labels.some((label) => label.startsWith('xn--'))) {
    return 'the host has an underscore and an internationalised label, which not every parser takes'
  }
  const last = labels.at(-1) ?? ''
  if ((last.startsWith('0x') || allDigits(last)) && ipv4(host) === undefined) return 'the host ends in a number but is no IPv4 address'
  return undefined
}

// checkIPv6 refuses an IPv4 address in IPv6 clothes (::ffff:0:0/96): a rule
// about the one would not match the other. The browser wrote the address in its
// shortest form, in which these always begin alike.
function checkIPv6(host: string): string | undefined {
  const address = host.slice(1, -1)
  if (!host.endsWith(']') || !address.includes(':')) return 'the host is no IPv6 address'
  for (let i = 0; i < address.length; i++) {
    const c = address.charCodeAt(i)
    if (c !== colonSign && !isDigit(c) && !(c >= 0x61 && c <= 0x66)) return 'the host is no IPv6 address'
  }
  const mapped = '::ffff:'
  if (address.startsWith(mapped) && address.slice(mapped.length).split(':').length === 2) return 'the host is an IPv4 address written as IPv6'
  return undefined
}

function ipv4(host: string): number[] | undefined {
  const bytes = host.split('.').map((part) => decimal(part, 255))
  return bytes.length === 4 && !bytes.includes(-1) ? bytes : undefined
}

// isPrivate reports whether a canonical host is a literal address that no
// public network routes: RFC 1918, 4193, 6598, loopback, link-local, and the
// unspecified address, which reaches this machine.
export function isPrivate(host: string): boolean {
  if (host.startsWith('[')) {
    const address = host.slice(1, -1)
    if (address === '::' || address === '::1') return true
    const first = Number.parseInt(address, 16) // up to the first colon
    return (first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfe80
  }
  const [a = -1, b = -1] = ipv4(host) ?? []
  return a === 0 || a === 10 || a === 127 || (a === 169 && b === 254) || (a === 172 && (b & 0xf0) === 16) || (a === 192 && b === 168) ||
    (a === 100 && (b & 0xc0) === 64)
}

// canonicalPath gives a path its one spelling: what RFC 3986 (pchar) allows in
// a segment stands for itself, all else is percent-encoded in upper case.
function canonicalPath(scheme: number, host: string, port: number, raw: string): Location | Refusal {
  let path = ''
  for (let i = 0; i < raw.length; i++) {
    const c = raw.charCodeAt(i)
    if (c === percent) {
      const code = unhex(raw.charCodeAt(i + 1)) * 16 + unhex(raw.charCodeAt(i + 2))
      if (Number.isNaN(code)) return noncanonical('the path holds a % without two hexadecimal digits after it')
      const name = code === slashSign ? 'slash' : code === backslash ? 'backslash' : code === 0 ? 'NUL' : undefined
      if (name !== undefined) {
        return noncanonical(`the path holds an encoded ${name} (${raw.slice(i, i + 3)}), which servers read in different ways`)
      }
      path += isPchar(code) ? String.fromCharCode(code) : '%' + hex(code)
      i += 2
    } else if (c === backslash) {
      return noncanonical('the path holds a backslash, which browsers read as a slash')
    } else {
      path += c === slashSign || isPchar(c) ? raw.charAt(i) : '%' + hex(c)
    }
  }
  for (const segment of path.split('/')) {
    if (segment === '.' || segment === '..') return noncanonical('the path holds a dot segment, which servers resolve in different ways')
  }
  return { scheme, host, port, path, count: -1, hash: 0 }
}

const percent = 0x25
const hyphen = 0x2d
const dotSign = 0x2e
const slashSign = 0x2f
const colonSign = 0x3a
const questionMark = 0x3f
const backslash = 0x5c
const underscore = 0x5f

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39
}

function isLower(c: number): boolean {
  return c >= 0x61 && c <= 0x7a
}

function allDigits(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (!isDigit(text.charCodeAt(i))) return false
  }
  return true
}

function isPchar(c: number): boolean {
  return isLower(c) || (c >= 0x41 && c <= 0x5a) || isDigit(c) || (c < 0x80 && "-._~!$&'()*+,;=:@".includes(String.fromCharCode(c)))
}

// unhex returns NaN for what is no hexadecimal digit, also past the end.
function unhex(c: number): number {
  if (isDigit(c)) return c - 0x30
  const lower = c | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : Number.NaN
}

function hex(c: number): string {
  return c.toString(16).toUpperCase().padStart(2, '0')
}
