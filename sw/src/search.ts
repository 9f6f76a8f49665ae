// The walk over the program's index for one request: rules/search.go and
// rules/match.go in Go are the same functions on the same bytes, and the shared
// vectors hold the two sides together.
import { wordsPerExtra, wordsPerKey, wordsPerRule, wordsPerTarget } from './program'
import type { Program } from './program'
import { labelHashes, labelStarts, type Location } from './url'

const slash = 0x2f
const hashMix = 0x9e3779b1
const numberMask = 0xfffff // 20 bits
const lengthBits = 13
const lengthMask = 0x1fff
const depthBits = 7
const depthMask = 0x7f
const allowFlag = 1 << 22
const labelsFlag = 1 << 23
const pathAny = 0
const pathExact = 1
const pathPrefix = 2
const partStar = 1
const segmentAny = 2

// none is a rule number after every other.
export const none = 0x7fffffff

export class Search {
  // The first rules found that block and that allow, or none.
  block = none
  allow = none
  // allowing has a bit for each layer with an allow rule that matches.
  allowing = 0

  private readonly words: Uint32Array
  private readonly bytes: Uint8Array
  // at is where in bytes the last comparison ended.
  private at = 0

  constructor(
    private readonly program: Program,
    private readonly url: Location,
    private readonly method: number,
    private readonly type: number,
  ) {
    this.words = program.words
    this.bytes = program.bytes
  }

  // run tries each end of the host, all of it first. Only a whole host is a key
  // of one label.
  run(): void {
    const { host, count, hash } = this.url
    const { base, powers } = this.program
    if (count >= 0) {
      this.end(hash, 0)
      for (let i = 0; i < count - 1; i++) {
        const from = labelStarts[i] ?? 0
        this.end((hash - Math.imul(labelHashes[i] ?? 0, powers[host.length - from] ?? 0)) | 0, from)
      }
      return
    }
    for (let from = 0; from >= 0; ) {
      this.end(hashText(base, host, from), from)
      const at = host.indexOf('.', from)
      from = at < 0 ? -1 : at + 1
    }
  }

  // end tries the end of the host that begins at an index.
  private end(start: number, at: number): void {
    const key = this.find(start, at, 0)
    if (key < 0) return
    this.key(key, at)
    const depth = (this.word(key + 2) >>> lengthBits) & depthMask
    if (depth === 0) return
    const { base } = this.program
    // The key is split by path: what is above holds the patterns that have no
    // literal directory.
    const path = this.url.path
    let h = (Math.imul(start, base) + slash) | 0
    let directories = 0
    for (let i = 1; i < path.length; i++) {
      const c = path.charCodeAt(i)
      h = (Math.imul(h, base) + c) | 0
      if (c !== slash) continue
      directories++
      if (directories > depth) return
      if (i + 1 === path.length) break // the same text as the whole path
      const below = this.find(h, at, i + 1)
      if (below >= 0) this.key(below, at)
    }
    const whole = this.find(h, at, path.length)
    if (whole >= 0) this.key(whole, at)
  }

  // find returns the place of the key for the host from an index on and the
  // first characters of the path, or -1.
  private find(h: number, from: number, length: number): number {
    const { filter, filterShift, slots, keys, shift, pool } = this.program
    const { host, path } = this.url
    const mixed = Math.imul(h ^ (h >>> 15), hashMix)
    const bit = mixed >>> filterShift
    if (((this.word(filter + (bit >>> 5)) >>> (bit & 31)) & 1) === 0) return -1
    const mask = keys - slots - 1
    const tag = mixed & 0xfff
    const hostLength = host.length - from
    for (let slot = mixed >>> shift; ; slot++) {
      const entry = this.word(slots + (slot & mask))
      if (entry === 0) return -1
      if (entry >>> 20 !== tag) continue
      const key = keys + ((entry & numberMask) - 1) * wordsPerKey
      if ((this.word(key + 2) & lengthMask) !== hostLength + length) continue
      const text = pool + this.word(key)
      if (this.same(text, host, from, hostLength) && this.same(text + hostLength, path, 0, length)) return key
    }
  }

  // key tries the targets of a key: the exact ones for a whole host, else those
  // below it.
  private key(key: number, at: number): void {
    const below = at > 0
    const middle = this.word(key + 1) + (this.word(key + 2) >>> (lengthBits + depthBits))
    const first = below ? middle : this.word(key + 1)
    const end = below ? this.word(key + wordsPerKey + 1) : middle
    for (let i = first; i < end; i++) this.target(this.program.targets + i * wordsPerTarget, at - 1)
  }

  // target tries one target. above is the length of the host before the key, and
  // less than 0 for none.
  private target(at: number, above: number): void {
    const { rules, ceilings } = this.program
    const head = this.word(at)
    const number = head & numberMask
    const allow = (head & allowFlag) !== 0
    if (allow ? number >= this.allow && ceilings === 0 : number >= this.block) return
    if (((head >>> 24) & this.method) === 0 || ((this.word(at + 1) >>> 16) & this.type) === 0) return
    if (!this.matches(at, Math.max(above, 0), allow) || (!allow && this.excepted(number))) return
    if (!allow) {
      this.block = number
    } else if (ceilings === 0) {
      this.allow = number
    } else {
      const layer = 1 << (this.word(rules + number * wordsPerRule + 1) >>> 24)
      this.allowing |= layer
      if ((ceilings & layer) === 0) this.allow = Math.min(this.allow, number) // a ceiling bounds, and gives nothing
    }
  }

  // matches compares scheme, port, the labels above the key, and the path. named
  // is for what lets a request out: there a star stands for no internationalised
  // label, because browsers differ in how they spell these; in a block it does.
  private matches(at: number, above: number, named: boolean): boolean {
    const head = this.word(at)
    const port = this.word(at + 1) & 0xffff
    if (((head >>> 20) & 3) !== this.url.scheme || (port !== 0 && port !== this.url.port)) return false
    const pattern = this.word(at + 2)
    if (pattern === 0) return !named || !internationalised(this.url.host, above)
    this.at = this.program.pool + pattern
    if ((head & labelsFlag) !== 0) {
      if (!this.labels(above, named)) return false
    } else if (named && internationalised(this.url.host, above)) {
      return false
    }
    return this.path(this.url.path)
  }

  // excepted reports whether an exception of the block rule matches.
  private excepted(number: number): boolean {
    const { rules, extras, targets } = this.program
    const extra = this.word(rules + number * wordsPerRule + 2)
    if (extra === 0) return false
    const at = extras + (extra - 1) * wordsPerExtra
    const first = this.word(at + 1)
    const end = first + this.word(at + 2)
    for (let i = first; i < end; i++) {
      if (this.matches(targets + i * wordsPerTarget, this.url.host.length, true)) return true
    }
    return false
  }

  // labels compares labels with the end of the host's first characters, from the
  // last label to the first.
  private labels(length: number, named: boolean): boolean {
    const host = this.url.host
    const count = this.byte(this.at)
    const more = this.byte(this.at + 1) === 1
    this.at += 2
    let end = length // of what is left of the host
    let ended = length === 0
    let ok = true
    for (let n = 0; n < count; n++) {
      const before = end === 0 ? -1 : host.lastIndexOf('.', end - 1)
      const star = this.byte(this.at) === partStar
      const same = this.part(host, before + 1, end)
      ok = ok && !ended && same && !(star && named && host.startsWith('xn--', before + 1))
      ended = before < 0
      end = Math.max(before, 0)
    }
    return ok && ended !== more && !(more && named && internationalised(host, end))
  }

  // part compares a part with the characters of a text from an index to another,
  // and moves behind it.
  private part(text: string, from: number, to: number): boolean {
    const star = this.byte(this.at) === partStar
    const prefix = this.at + 3
    const prefixLength = this.length(this.at + 1)
    this.at = prefix + prefixLength
    const have = to - from
    if (!star) return have === prefixLength && this.same(prefix, text, from, have)
    const suffix = this.at + 2
    const suffixLength = this.length(this.at)
    this.at = suffix + suffixLength
    return have >= prefixLength + suffixLength && this.same(prefix, text, from, prefixLength) && this.same(suffix, text, to - suffixLength, suffixLength)
  }

  private path(path: string): boolean {
    const kind = this.byte(this.at)
    if (kind === pathAny) return true
    const length = this.length(this.at + 1)
    if (kind === pathExact) return path.length === length && this.same(this.at + 3, path, 0, length)
    if (kind === pathPrefix) return path.length >= length && this.same(this.at + 3, path, 0, length)
    this.at += 3
    return this.segments(length, path)
  }

  // segments: on a mismatch the last "**" takes one more segment. An earlier one
  // need never be tried again, since whatever it could take, the last can too.
  private segments(count: number, path: string): boolean {
    let next = 0
    let retry = -1
    let retryAt = 0
    let restart = 0
    let from = 1
    while (from <= path.length) {
      const end = segmentEnd(path, from)
      const before = this.at
      if (next < count && this.byte(before) === segmentAny) {
        next++
        this.at = before + 1
        retry = next
        retryAt = this.at
        restart = end + 1
        from = restart
      } else if (next < count && this.part(path, from, end)) {
        next++
        from = end + 1
      } else if (retry >= 0) {
        restart = segmentEnd(path, restart) + 1
        next = retry
        this.at = retryAt
        from = restart
      } else {
        return false
      }
    }
    return next === count
  }

  // same compares bytes of the program with characters of a text.
  private same(at: number, text: string, from: number, length: number): boolean {
    for (let i = 0; i < length; i++) {
      if (this.bytes[at + i] !== text.charCodeAt(from + i)) return false
    }
    return true
  }

  private length(at: number): number {
    return this.byte(at) | (this.byte(at + 1) << 8)
  }

  private byte(at: number): number {
    return this.bytes[at] ?? 0
  }

  private word(at: number): number {
    return this.words[at] ?? 0
  }
}

function segmentEnd(path: string, from: number): number {
  const at = path.indexOf('/', from)
  return at < 0 ? path.length : at
}

function hashText(base: number, text: string, from: number): number {
  let h = 0
  for (let i = from; i < text.length; i++) h = (Math.imul(h, base) + text.charCodeAt(i)) | 0
  return h
}

// internationalised reports whether one of the labels in the host's first
// characters begins with "xn--".
function internationalised(host: string, length: number): boolean {
  if (length === 0) return false
  const above = host.slice(0, length)
  return above.startsWith('xn--') || above.includes('.xn--')
}
