// The compiled policy, as program.Build in Go writes it: bytes that are read
// where they lie, by the same steps as in Go. rules/program/doc.go tells the format.

import {
  ceilingShift, checksumPrime, checksumStart, flagAudit, headerWords, layerShift, lineMask, magic, maxHost, methods, types, version,
  wordBase, wordChecksum, wordExtras, wordFilter, wordFlags, wordKeys, wordLayers, wordLength, wordMagic, wordPool, wordRules, wordSlots,
  wordsPerExtra, wordsPerKey, wordsPerRule, wordsPerTarget, wordTargets, wordVersion,
} from './program.gen'
import type { Type } from './program.gen'

// The orders are those of the bits in the program.
const typeOrder: readonly (Type | undefined)[] = types
const methodOrder: readonly string[] = methods

// typeBit is 0 for what no rule can name.
export function typeBit(type: Type | undefined): number {
  if (type === 'fetch') return 1
  const i = typeOrder.indexOf(type)
  return i < 0 ? 0 : 1 << i
}

// methodBit: every method that no rule can name shares one bit.
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
  // words is the whole program; the tables begin at these of its words.
  readonly words: Uint32Array
  readonly filter: number
  readonly slots: number
  readonly keys: number
  readonly targets: number
  readonly rules: number
  readonly extras: number
  readonly layers: number
  // bytes is the whole program too; the pool begins at this of its bytes.
  readonly bytes: Uint8Array
  readonly pool: number
  // base is that of the hash, and powers are its powers.
  readonly base: number
  readonly powers: Int32Array
  // 32 less the logarithm of the number of slots, and of bits in the filter.
  readonly shift: number
  readonly filterShift: number
  readonly audit: boolean
  readonly ceilings: number
  // texts are those that have been read, by their offset in the pool.
  readonly texts: Map<number, string>
}

// openProgram reads a program in base64, or returns undefined for what is none:
// another version, a wrong length, damaged bytes. Part of a program is no
// program: a rule that got lost could be the one that blocks.
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
  // On a machine that is not little-endian the magic number is another.
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

// text returns the text at an offset of the pool, '' at 0. Rules that decide once
// decide again, so what has been read is kept.
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

// rule returns what the program says of a rule.
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

// layer returns the name of one of the policy's files; the first is its own.
export function layer(program: Program, number: number): string {
  return text(program, program.words[program.layers + number] ?? 0)
}
