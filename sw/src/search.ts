// The search of the program's index for one request. search.go and match.go of rules/program
// are the same functions on the same bytes, and shared vectors keep both in step.
import type { Program } from './program'
import {
  allowFlag, depthBits, depthMask, hashMix, labelsFlag, layerShift, lengthBits, lengthMask, maxBetween, methodsShift, numberBits, numberMask, partStar,
  pathAny, pathExact, pathPrefix, portMask, schemeMask, schemeShift, segmentAny, tagMask, typesShift, wordsPerExtra, wordsPerKey, wordsPerRule,
  wordsPerTarget,
} from './program.gen'
import { Location } from './url'

const slash = 0x2f
const dot = 0x2e

// none is a rule number greater than all others.
export const none = 0x7fffffff

// A Search is reused for one request after another; a worker has a single thread.
export class Search {
  // block and allow are the first rules found that block and that allow, or none.
  block = none
  allow = none
  // allowing has a bit for each layer with an allow rule that matches.
  allowing = 0
  // at is the offset in bytes at which the last comparison ended.
  private at = 0
  private method = 0
  private type = 0
  readonly url = new Location()
  // sought is the run of segments that seek looks for. It holds the run's parts, as offsets
  // and lengths in the program; a literal has the suffix length -1. It also holds the segments
  // of the path that they are compared with.
  private readonly sought = {
    prefixes: new Int32Array(maxBetween),
    prefixLengths: new Int32Array(maxBetween),
    suffixes: new Int32Array(maxBetween),
    suffixLengths: new Int32Array(maxBetween),
    starts: new Int32Array(maxBetween),
    ends: new Int32Array(maxBetween),
  }

  constructor(private readonly program: Program) {}

  // run looks up each suffix of the URL's host, the whole host first. A key of one label
  // matches only a whole host.
  run(method: number, type: number): void {
    const { bytes, host, hostEnd, count, hash, starts, hashes } = this.url
    const { base, powers } = this.program
    this.block = none
    this.allow = none
    this.allowing = 0
    this.method = method
    this.type = type
    if (count >= 0) {
      this.end(hash, host)
      for (let i = 0; i < count - 1; i++) {
        const from = host + (starts[i] as number)
        this.end((hash - Math.imul(hashes[i] as number, powers[hostEnd - from] as number)) | 0, from)
      }
      return
    }
    for (let from = host; ; ) {
      let h = 0
      for (let i = from; i < hostEnd; i++) h = (Math.imul(h, base) + (bytes[i] as number)) | 0
      this.end(h, from)
      const at = bytes.indexOf(dot, from)
      if (at < 0 || at >= hostEnd) return
      from = at + 1
    }
  }

  // end looks up the suffix of the host that begins at from.
  private end(hash: number, from: number): void {
    const { words, base } = this.program
    const key = this.find(hash, from, 0)
    if (key < 0) return
    this.key(key, from)
    const depth = ((words[key + 2] as number) >>> lengthBits) & depthMask
    if (depth === 0) return
    // The key is split by path. The targets tried above are those of patterns without a
    // literal directory.
    const { bytes, path, pathEnd } = this.url
    let h = (Math.imul(hash, base) + slash) | 0
    let directories = 0
    for (let i = path + 1; i < pathEnd; i++) {
      const c = bytes[i] as number
      h = (Math.imul(h, base) + c) | 0
      if (c !== slash) continue
      directories++
      if (directories > depth) return
      if (i + 1 === pathEnd) break // the same text as the whole path
      const below = this.find(h, from, i + 1 - path)
      if (below >= 0) this.key(below, from)
    }
    const whole = this.find(h, from, pathEnd - path)
    if (whole >= 0) this.key(whole, from)
  }

  // find returns the index of the key for the host's suffix from an offset on and the first
  // length characters of the path, or -1.
  private find(hash: number, from: number, length: number): number {
    const { words, filter, filterShift, slots, keys, shift, pool } = this.program
    const mixed = Math.imul(hash ^ (hash >>> 15), hashMix)
    const bit = mixed >>> filterShift
    if ((((words[filter + (bit >>> 5)] as number) >>> (bit & 31)) & 1) === 0) return -1
    const { hostEnd, path } = this.url
    const mask = keys - slots - 1
    const tag = mixed & tagMask
    const hostLength = hostEnd - from
    for (let slot = mixed >>> shift; ; slot++) {
      const entry = words[slots + (slot & mask)] as number
      if (entry === 0) return -1
      if (entry >>> numberBits !== tag) continue
      const key = keys + ((entry & numberMask) - 1) * wordsPerKey
      if (((words[key + 2] as number) & lengthMask) !== hostLength + length) continue
      const at = pool + (words[key] as number)
      if (this.same(at, from, hostLength) && this.same(at + hostLength, path, length)) return key
    }
  }

  // key tries the targets of a key: the exact targets if the key is the whole host, and
  // otherwise those for names below it.
  private key(key: number, from: number): void {
    const { words, targets } = this.program
    const below = from > this.url.host
    const middle = (words[key + 1] as number) + ((words[key + 2] as number) >>> (lengthBits + depthBits))
    const first = below ? middle : (words[key + 1] as number)
    const end = below ? (words[key + wordsPerKey + 1] as number) : middle
    for (let i = first; i < end; i++) this.target(targets + i * wordsPerTarget, from - 1)
  }

  // target tries one target. above is where the part of the host before the key ends. It is
  // less than the host's beginning if there is no such part.
  private target(at: number, above: number): void {
    const { words, rules, ceilings } = this.program
    const head = words[at] as number
    const number = head & numberMask
    const allow = (head & allowFlag) !== 0
    if (allow ? number >= this.allow && ceilings === 0 : number >= this.block) return
    if (((head >>> methodsShift) & this.method) === 0 || (((words[at + 1] as number) >>> typesShift) & this.type) === 0) return
    if (!this.matches(at, above, allow) || (!allow && this.excepted(number))) return
    if (!allow) {
      this.block = number
    } else if (ceilings === 0) {
      this.allow = number
    } else {
      const layer = 1 << ((words[rules + number * wordsPerRule + 1] as number) >>> layerShift)
      this.allowing |= layer
      if ((ceilings & layer) === 0) this.allow = Math.min(this.allow, number) // a ceiling limits rules and allows nothing itself
    }
  }

  // matches compares scheme, port, the labels above the key, and the path. named is true for
  // patterns that let a request out. Their stars match no internationalized label, because
  // browsers differ in how they spell these. The stars of blocking patterns match them.
  private matches(at: number, above: number, named: boolean): boolean {
    const { words, pool } = this.program
    const { scheme, port } = this.url
    const head = words[at] as number
    const wanted = (words[at + 1] as number) & portMask
    if (((head >>> schemeShift) & schemeMask) !== scheme || (wanted !== 0 && wanted !== port)) return false
    const pattern = words[at + 2] as number
    this.at = pool + pattern
    if (pattern !== 0 && (head & labelsFlag) !== 0) {
      if (!this.labels(above, named)) return false
    } else if (named && this.internationalized(above)) {
      return false
    }
    return pattern === 0 || this.path()
  }

  // excepted reports whether an exception of the block rule matches.
  private excepted(number: number): boolean {
    const { words, rules, extras, targets } = this.program
    const extra = words[rules + number * wordsPerRule + 2] as number
    if (extra === 0) return false
    const at = extras + (extra - 1) * wordsPerExtra
    const first = words[at + 1] as number
    const end = first + (words[at + 2] as number)
    for (let i = first; i < end; i++) {
      if (this.matches(targets + i * wordsPerTarget, this.url.hostEnd, true)) return true
    }
    return false
  }

  // labels compares labels with the host up to an offset, from the last label to the first.
  private labels(hostEnd: number, named: boolean): boolean {
    const { bytes, host } = this.url
    const count = this.byte(this.at)
    const more = this.byte(this.at + 1) === 1
    this.at += 2
    let end = hostEnd // end of the part of the host that remains
    let ended = hostEnd <= host
    let ok = true
    for (let n = 0; n < count; n++) {
      let from = end
      while (from > host && bytes[from - 1] !== dot) from--
      const star = this.byte(this.at) === partStar
      const same = this.part(from, end)
      ok = ok && !ended && same && !(star && named && this.punycode(from, end))
      ended = from === host
      end = Math.max(from - 1, host)
    }
    return ok && ended !== more && !(more && named && this.internationalized(end))
  }

  // part compares a part with the URL between two offsets, and moves past it.
  private part(from: number, to: number): boolean {
    const star = this.byte(this.at) === partStar
    const prefix = this.at + 3
    const prefixLength = this.length(this.at + 1)
    this.at = prefix + prefixLength
    const have = to - from
    if (!star) return have === prefixLength && this.same(prefix, from, have)
    const suffix = this.at + 2
    const suffixLength = this.length(this.at)
    this.at = suffix + suffixLength
    return have >= prefixLength + suffixLength && this.same(prefix, from, prefixLength) && this.same(suffix, to - suffixLength, suffixLength)
  }

  private path(): boolean {
    const kind = this.byte(this.at)
    if (kind === pathAny) return true
    const { path, pathEnd } = this.url
    const length = this.length(this.at + 1)
    if (kind === pathExact) return pathEnd - path === length && this.same(this.at + 3, path, length)
    if (kind === pathPrefix) return pathEnd - path >= length && this.same(this.at + 3, path, length)
    return this.segments()
  }

  // segments compares the segments before the first "**" with the path's beginning, and those
  // after the last "**" with its end. The segments between two of them form a run. Taking the
  // first place where a run matches is enough.
  private segments(): boolean {
    const { path, pathEnd } = this.url
    const tail = this.length(this.at + 3)
    const middle = this.length(this.at + 1) - tail
    const tailAt = this.at + 7 + this.length(this.at + 5)
    this.at += 7
    let next = 0
    let from = path + 1
    for (; next < middle && this.byte(this.at) !== segmentAny; next++) {
      if (from > pathEnd) return false
      const end = this.segmentEnd(from)
      if (!this.part(from, end)) return false
      from = end + 1
    }
    while (next < middle) {
      if (from > pathEnd) return false
      from = this.segmentEnd(from) + 1 // "**" matches at least one segment
      this.at++
      let count = 0
      for (next++; next < middle && this.byte(this.at) !== segmentAny; next++) this.readPart(count++)
      from = this.seek(count, from)
      if (from < 0) return false
    }
    if (middle > 0) {
      if (tail === 0) return true
      const start = this.lastSegments(tail)
      if (start < from) return false
      from = start
    }
    this.at = tailAt
    for (let n = 0; n < tail; n++) {
      if (from > pathEnd) return false
      const end = this.segmentEnd(from)
      if (!this.part(from, end)) return false
      from = end + 1
    }
    return from > pathEnd
  }

  // readPart reads a part of a run, and moves past it.
  private readPart(index: number): void {
    const { prefixes, prefixLengths, suffixes, suffixLengths } = this.sought
    const star = this.byte(this.at) === partStar
    prefixes[index] = this.at + 3
    prefixLengths[index] = this.length(this.at + 1)
    this.at += 3 + (prefixLengths[index] as number)
    suffixLengths[index] = -1
    if (!star) return
    suffixes[index] = this.at + 2
    suffixLengths[index] = this.length(this.at)
    this.at += 2 + (suffixLengths[index] as number)
  }

  // seek looks for segments that the run matches, from a segment on. It returns the offset of
  // the segment after them, or -1. It reads each segment once.
  private seek(count: number, first: number): number {
    const { pathEnd } = this.url
    const { starts, ends } = this.sought
    let from = first
    for (let have = 0; ; have++) {
      if (have >= count) {
        if (this.matchesRun(count)) return from
        for (let i = 1; i < count; i++) {
          starts[i - 1] = starts[i] as number
          ends[i - 1] = ends[i] as number
        }
      }
      if (from > pathEnd) return -1
      const end = this.segmentEnd(from)
      const last = Math.min(have, count - 1)
      starts[last] = from
      ends[last] = end
      from = end + 1
    }
  }

  private matchesRun(count: number): boolean {
    const { starts, ends, prefixes, prefixLengths, suffixes, suffixLengths } = this.sought
    for (let i = 0; i < count; i++) {
      const from = starts[i] as number
      const to = ends[i] as number
      const have = to - from
      const prefixLength = prefixLengths[i] as number
      const suffixLength = suffixLengths[i] as number
      if (suffixLength < 0 ? have !== prefixLength : have < prefixLength + suffixLength) return false
      if (!this.same(prefixes[i] as number, from, prefixLength)) return false
      if (suffixLength > 0 && !this.same(suffixes[i] as number, to - suffixLength, suffixLength)) return false
    }
    return true
  }

  // lastSegments returns the offset at which the last count segments of the path begin, or -1
  // if the path has fewer.
  private lastSegments(count: number): number {
    const { bytes, path, pathEnd } = this.url
    for (let at = pathEnd - 1; at >= path; at--) {
      if (bytes[at] === slash && --count === 0) return at + 1
    }
    return -1
  }

  private segmentEnd(from: number): number {
    const { bytes, pathEnd } = this.url
    while (from < pathEnd && bytes[from] !== slash) from++
    return from
  }

  // internationalized reports whether one of the host's labels up to an offset begins with
  // "xn--".
  private internationalized(end: number): boolean {
    const { bytes, host, count } = this.url
    if (count >= 0) return false // a hashed host has no such label
    for (let from = host; from < end; from++) {
      if ((from === host || bytes[from - 1] === dot) && this.punycode(from, end)) return true
    }
    return false
  }

  private punycode(from: number, end: number): boolean {
    const { bytes } = this.url
    return end - from >= 4 && bytes[from] === 0x78 && bytes[from + 1] === 0x6e && bytes[from + 2] === 0x2d && bytes[from + 3] === 0x2d
  }

  // same compares bytes of the program with the URL from an offset on.
  private same(at: number, from: number, length: number): boolean {
    const { bytes } = this.program
    const text = this.url.bytes
    for (let i = 0; i < length; i++) {
      if (bytes[at + i] !== text[from + i]) return false
    }
    return true
  }

  private length(at: number): number {
    return this.byte(at) | (this.byte(at + 1) << 8)
  }

  private byte(at: number): number {
    return this.program.bytes[at] as number
  }
}
