// The compiled policy, as program.Build in Go writes it. The worker reads the bytes in place,
// by the same steps as Go. rules/program/doc.go documents the format.

import {
  ceilingShift, checksumPrime, checksumStart, flagAudit, headerWords, layerShift, lineMask, magic, maxHost, methods, types, version,
  wordBase, wordChecksum, wordExtras, wordFilter, wordFlags, wordKeys, wordLayers, wordLength, wordMagic, wordPool, wordRules, wordSlots,
  wordsPerExtra, wordsPerKey, wordsPerRule, wordsPerTarget, wordTargets, wordVersion,
} from './program.gen'
import type { Type } from './program.gen'

// These orders are those of the bits in the program.
const typeOrder: readonly (Type | undefined)[] = types
const methodOrder: readonly string[] = methods

// typeBit returns 0 for a type that no rule can name.
export function typeBit(type: Type | undefined): number {
  if (type === 'fetch') return 1
  const i = typeOrder.indexOf(type)
  return i < 0 ? 0 : 1 << i
}

// methodBit returns the bit of a method. All methods that no rule can name share one bit.
export function methodBit(method: string): number {
  if (method === 'GET') return 1
  const i = methodOrder.indexOf(method)
  return 1 << (i < 0 ? methods.length : i)
}

export interface Rule {
  readonly id: string
  readonly reason: string
  readonly file: string
  readonly line: number
}

export interface Program {
  // words is the whole program. The numbers below are the indexes in words at which the tables
  // begin.
  readonly words: Uint32Array
  readonly filter: number
  readonly slots: number
  readonly keys: number
  readonly targets: number
  readonly rules: number
  readonly extras: number
  readonly layers: number
  // bytes is the whole program as bytes. pool is the offset in bytes at which the pool begins.
  readonly bytes: Uint8Array
  readonly pool: number
  // base is the base of the hash, and powers holds its powers.
  readonly base: number
  readonly powers: Int32Array
  // shift is 32 minus the logarithm of the number of slots; filterShift, of the bits in the
  // filter.
  readonly shift: number
  readonly filterShift: number
  readonly audit: boolean
  readonly ceilings: number
  // texts caches the texts that have been read, by their offset in the pool.
  readonly texts: Map<number, string>
}

// openProgram reads a program in base64. It returns undefined for another version, a wrong
// length, and damaged bytes. It never opens part of a program: a missing rule could be the one
// that blocks.
export function openProgram(base64: string): Program | undefined {
  let text: string
  try {
    text = atob(base64)
  } catch {
    return undefined
  }
  if (text.length < headerWords * 4 || text.length % 4 !== 0) return undefined
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  // On a big-endian machine the magic number differs, so the program is rejected.
  const words = new Uint32Array(bytes.buffer)
  const word = (i: number): number => words[i] ?? 0
  if (word(wordMagic) !== magic || word(wordVersion) !== version || word(wordLength) !== text.length) return undefined
  const filter = headerWords
  const slots = filter + word(wordFilter)
  const keys = slots + word(wordSlots)
  const targets = keys + word(wordKeys) * wordsPerKey
  const rules = targets + word(wordTargets) * wordsPerTarget
  const extras = rules + word(wordRules) * wordsPerRule
  const layers = extras + word(wordExtras) * wordsPerExtra
  const pool = (layers + word(wordLayers)) * 4
  if (pool + word(wordPool) !== text.length || !isPower(word(wordFilter)) || !isPower(word(wordSlots)) || checksum(words) !== word(wordChecksum)) return undefined
  const flags = word(wordFlags)
  const base = word(wordBase)
  const powers = new Int32Array(maxHost + 1)
  for (let i = 0, power = 1; i <= maxHost; i++, power = Math.imul(power, base)) powers[i] = power
  return {
    words, filter, slots, keys, targets, rules, extras, layers, bytes, pool, base, powers,
    shift: Math.clz32(word(wordSlots)) + 1, filterShift: Math.clz32(word(wordFilter)) + 1 - 5, audit: (flags & flagAudit) !== 0, ceilings: flags >>> ceilingShift,
    texts: new Map(),
  }
}

function isPower(n: number): boolean {
  return n !== 0 && (n & (n - 1)) === 0
}

// checksum covers all words but its own (FNV-1a by words).
function checksum(words: Uint32Array): number {
  let h: number = checksumStart
  for (const [i, word] of words.entries()) {
    if (i !== wordChecksum) h = Math.imul(h ^ word, checksumPrime)
  }
  return h >>> 0
}

const decoder = new TextDecoder()

// text returns the text at an offset of the pool, or '' at 0. A rule that decided once often
// decides again, so texts are cached.
function text(program: Program, offset: number): string {
  let known = program.texts.get(offset)
  if (known === undefined) {
    known = offset === 0 ? '' : read(program, offset)
    program.texts.set(offset, known)
  }
  return known
}

function read({ bytes, pool }: Program, offset: number): string {
  const at = pool + offset
  const length = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
  return decoder.decode(bytes.subarray(at + 2, at + 2 + length))
}

// rule returns the program's data of a rule.
export function rule(program: Program, number: number): Rule {
  const { words } = program
  const at = program.rules + number * wordsPerRule
  const place = words[at + 1] ?? 0
  const extra = words[at + 2] ?? 0
  return {
    id: text(program, words[at] ?? 0),
    reason: extra === 0 ? '' : text(program, words[program.extras + (extra - 1) * wordsPerExtra] ?? 0),
    file: layer(program, place >>> layerShift),
    line: place & lineMask,
  }
}

// layer returns the name of one of the policy's files. The first is the policy's own file.
export function layer(program: Program, number: number): string {
  return text(program, program.words[program.layers + number] ?? 0)
}
