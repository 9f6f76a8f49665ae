// The strict profile of URLs. url.go, settled.go, and canonical.go of rules/rule are the same
// functions, and shared vectors keep both in step.
//
// The browser has already parsed and serialized the URL (request.url), and only that spelling
// counts. This file rejects URLs that servers read in different ways, and gives the path one
// spelling. It uses no regular expressions: the page chooses the URL, and no URL may make this
// slow.

import { defaultPorts, maxHost, maxLabels, maxURL, schemes } from './program.gen'
import type { Code } from './program.gen'

// Location holds the parts of a canonical URL that rules match, as offsets into its bytes.
// Cutting strings out of the URL would cost more than all the rest. Reading a character of a
// string again costs three times as much as reading a byte.
export class Location {
  // Percent-encoding can turn one character of a path into three bytes.
  readonly bytes = new Uint8Array(3 * maxURL)
  scheme = 0 // the number that the program has for the scheme
  port = 0
  host = 0 // the offset at which the host begins
  hostEnd = 0
  path = 0
  pathEnd = 0
  // count is the number of labels before the last, or -1 if they have not been counted. starts
  // says where each label after the first begins, as an offset from the host's beginning.
  // hashes has the hash of the part before each of these. hash is that of the whole host.
  count = -1
  hash = 0
  readonly starts = new Int32Array(maxLabels)
  readonly hashes = new Int32Array(maxLabels)

  // isPrivate reports whether the host is an address that no public network routes.
  isPrivate(): boolean {
    const last = this.bytes[this.hostEnd - 1] as number
    if (last !== closingBracket && !isDigit(last)) return false // not an address
    return isPrivate(String.fromCharCode(...this.bytes.subarray(this.host, this.hostEnd)))
  }
}

export interface Refusal {
  readonly code: Extract<Code, 'noncanonical' | 'too-long' | 'unsupported-scheme'>
  readonly reason: string
}

const percent = 0x25
const hyphen = 0x2d
const dotSign = 0x2e
const slashSign = 0x2f
const colonSign = 0x3a
const questionMark = 0x3f
const backslash = 0x5c
const closingBracket = 0x5d
const underscore = 0x5f

const ports: readonly number[] = defaultPorts

function schemeNumber(scheme: string): number {
  return Object.hasOwn(schemes, scheme) ? schemes[scheme as keyof typeof schemes] : -1
}

function noncanonical(reason: string): Refusal {
  return { code: 'noncanonical', reason }
}

function tooLong(length: number): Refusal {
  return { code: 'too-long', reason: `the URL has ${length} bytes; up to ${maxURL} are judged` }
}

// locate reads a URL into a location. While reading, it hashes the host with the base of the
// program that will be searched.
export function locate(serialized: string, base: number, u: Location): Refusal | undefined {
  return settled(serialized, base, u) ? undefined : strict(serialized, u)
}

function strict(serialized: string, u: Location): Refusal | undefined {
  if (serialized.length > maxURL) {
    return tooLong(serialized.length)
  }
  for (let i = 0; i < serialized.length; i++) {
    const c = serialized.charCodeAt(i)
    if (c <= 0x20 || c > 0x7e) return noncanonical(`the URL holds the byte 0x${hex(c)}`)
  }
  const [whole] = cut(serialized, '#')
  const [scheme, rest] = cut(whole, '://')
  const number = schemeNumber(scheme)
  const standard = ports[number]
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
  for (let i = 0; i < host.length; i++) u.bytes[i] = host.charCodeAt(i)
  const end = canonicalPath(beforeQuery.slice(slash), u.bytes, host.length)
  if (typeof end !== 'number') return end
  u.scheme = number
  u.port = port
  u.host = 0
  u.hostEnd = u.path = host.length
  u.pathEnd = end
  u.count = -1
  return undefined
}

// settled reads the usual URL, which is canonical already, in one pass. It returns false for
// every URL that is not certainly canonical, including many that are. strict then does the
// whole work and decides. settled does not read the query: no rule matches it, the browser
// wrote it, and browsers reject no URL because of its query.
function settled(raw: string, base: number, u: Location): boolean {
  const length = raw.length
  if (length > maxURL) return false
  // This compares single characters, because a call of startsWith takes as long as ten
  // comparisons.
  let at = 0
  if (is(raw, 0, 0x68) && is(raw, 1, 0x74) && is(raw, 2, 0x74) && is(raw, 3, 0x70)) {
    u.scheme = is(raw, 4, 0x73) ? schemes.https : schemes.http
    at = u.scheme === schemes.https ? 5 : 4
  } else if (is(raw, 0, 0x77) && is(raw, 1, 0x73)) {
    u.scheme = is(raw, 2, 0x73) ? schemes.wss : schemes.ws
    at = u.scheme === schemes.wss ? 3 : 2
  }
  if (at === 0 || !is(raw, at, colonSign) || !is(raw, at + 1, slashSign) || !is(raw, at + 2, slashSign)) return false
  at += 3
  const standard = ports[u.scheme] as number

  const { bytes, starts, hashes } = u
  u.host = at
  let last = at
  let count = 0
  let previous = edge
  let wrong = 0
  let hash = 0
  let c = 0
  for (; at < length; at++) {
    c = raw.charCodeAt(at)
    const kind = classOf(c)
    if ((kind & inHost) === 0) break
    bytes[at] = c
    wrong |= kind & previous
    previous = kind
    hash = (Math.imul(hash, base) + c) | 0
    if (c === dotSign) {
      if (count === maxLabels) return false
      last = at + 1
      starts[count] = last - u.host
      hashes[count] = hash
      count++
    }
  }
  // Two adjacent edges mean an empty label, a label that begins or ends with a hyphen, or two
  // hyphens, as in punycode. A last label that begins with a digit may belong to an address.
  if (((wrong | previous) & edge) !== 0 || at - u.host > maxHost || isDigit(bytes[last] as number)) return false
  u.hostEnd = at

  u.port = standard
  if (at < length && c === colonSign) {
    const first = ++at
    let port = 0
    for (; at < length && at - first < 6 && isDigit(raw.charCodeAt(at)); at++) port = port * 10 + raw.charCodeAt(at) - 0x30
    if (port < 1 || port > 65_535 || port === standard || is(raw, first, 0x30)) return false
    u.port = port
  }
  if (at === length || !is(raw, at, slashSign)) return false
  u.path = at
  previous = 0
  for (; at < length; at++) {
    c = raw.charCodeAt(at)
    if ((classOf(c) & inPath) === 0) {
      if (c !== dotSign) break
      if (previous === slashSign) return false // the segment may be a dot segment
    }
    bytes[at] = previous = c
  }
  if (at < length && c !== questionMark) return false
  u.pathEnd = at
  u.count = count
  u.hash = hash
  return true
}

function is(text: string, at: number, c: number): boolean {
  return text.charCodeAt(at) === c
}

// The parts of a URL in which a character may stand unchanged, and whether it is an edge in a
// host.
const inHost = 1
const inPath = 2
const edge = 4 // a dot or a hyphen

// With a table of all UTF-16 code units, every look-up succeeds. The loop over the path
// handles dots itself. Only ASCII characters have entries other than 0, so only those are
// filled in: this runs at each start of the worker, before the first request is answered.
const classes = new Uint8Array(0x1_0000)
for (let c = 0x21; c <= 0x7e; c++) {
  classes[c] = (isLower(c) || isDigit(c) || c === hyphen || c === underscore || c === dotSign ? inHost : 0) |
    (c === slashSign || (isPchar(c) && c !== dotSign) ? inPath : 0) | (c === hyphen || c === dotSign ? edge : 0)
}

function classOf(c: number): number {
  return classes[c] as number
}

// cut returns the text before and after the first separator. after is undefined if there is no
// separator.
function cut(text: string, separator: string): [before: string, after: string | undefined] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)]
}

// decimal reads a number in plain decimal notation up to max, or returns -1.
function decimal(text: string, max: number): number {
  if (text === '' || text.length > 5) return -1
  for (let i = 0; i < text.length; i++) {
    if (!isDigit(text.charCodeAt(i))) return -1
  }
  const n = Number(text)
  return n <= max && String(n) === text ? n : -1
}

// checkHost returns what is wrong with a host, or undefined.
function checkHost(host: string): string | undefined {
  if (host.length > maxHost) return `the host has ${host.length} bytes; a name has up to ${maxHost}`
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
    return 'the host has an underscore and an internationalized label, which not every parser takes'
  }
  const last = labels.at(-1) ?? ''
  if ((last.startsWith('0x') || allDigits(last)) && ipv4(host) === undefined) return 'the host ends in a number but is no IPv4 address'
  return undefined
}

// checkIPv6 rejects IPv4 addresses in IPv6 notation (::ffff:0:0/96): a rule for one notation
// would not match the other. The browser wrote the address in its shortest form, in which all
// of these begin alike.
function checkIPv6(host: string): string | undefined {
  const address = host.slice(1, -1)
  const halves = address.split('::')
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const complete = halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length < 8
  if (!host.endsWith(']') || !complete || !groups.every(isGroup)) return 'the host is no IPv6 address'
  const mapped = '::ffff:'
  if (address.startsWith(mapped) && address.slice(mapped.length).split(':').length === 2) return 'the host is an IPv4 address written as IPv6'
  return undefined
}

// isGroup reports whether a text has one to four hexadecimal digits without a leading zero.
function isGroup(text: string): boolean {
  if (text === '' || text.length > 4 || (text.length > 1 && text.startsWith('0'))) return false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (!isDigit(c) && !(c >= 0x61 && c <= 0x66)) return false
  }
  return true
}

function ipv4(host: string): number[] | undefined {
  const bytes = host.split('.').map((part) => decimal(part, 255))
  return bytes.length === 4 && !bytes.includes(-1) ? bytes : undefined
}

// isPrivate reports whether a canonical host is a literal address that no public network
// routes: RFC 1918, 4193, and 6598, loopback, link-local, and the unspecified address, which
// reaches this machine.
function isPrivate(host: string): boolean {
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

// canonicalPath writes a path into the bytes from an offset on, in its one spelling.
// Characters that RFC 3986 (pchar) allows in a segment stand for themselves. All others are
// percent-encoded in upper case. It returns the offset after the path.
function canonicalPath(raw: string, bytes: Uint8Array, first: number): number | Refusal {
  let at = first
  let segment = first + 1
  let dotted = false
  for (let i = 0; i <= raw.length; i++) {
    let c = i < raw.length ? raw.charCodeAt(i) : slashSign
    if (c === slashSign) {
      const dots = at - segment
      if ((dots === 1 || dots === 2) && bytes[at - 1] === dotSign && bytes[segment] === dotSign) dotted = true
      if (i === raw.length) break
      bytes[at++] = c
      segment = at
      continue
    }
    if (c === backslash) return noncanonical('the path holds a backslash, which browsers read as a slash')
    if (c === percent) {
      c = unhex(raw.charCodeAt(i + 1)) * 16 + unhex(raw.charCodeAt(i + 2))
      if (Number.isNaN(c)) return noncanonical('the path holds a % without two hexadecimal digits after it')
      const name = c === slashSign ? 'slash' : c === backslash ? 'backslash' : c === 0 ? 'NUL' : undefined
      if (name !== undefined) {
        return noncanonical(`the path holds an encoded ${name} (${raw.slice(i, i + 3)}), which servers read in different ways`)
      }
      i += 2
    }
    if (((classes[c] as number) & inPath) !== 0 || c === dotSign) {
      bytes[at++] = c
    } else {
      bytes[at++] = percent
      bytes[at++] = hexDigits.charCodeAt(c >> 4)
      bytes[at++] = hexDigits.charCodeAt(c & 15)
    }
  }
  return dotted ? noncanonical('the path holds a dot segment, which servers resolve in different ways') : at
}

const hexDigits = '0123456789ABCDEF'

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

// unhex returns NaN for anything but a hexadecimal digit, including an offset past the end.
function unhex(c: number): number {
  if (isDigit(c)) return c - 0x30
  const lower = c | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : Number.NaN
}

function hex(c: number): string {
  return c.toString(16).toUpperCase().padStart(2, '0')
}
