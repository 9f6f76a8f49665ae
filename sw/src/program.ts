// The compiled policy, as program.Build in Go writes it: bytes that are read
// where they lie, by the same steps as in Go. rules/program/program.go tells the format.

export type Action = 'allow' | 'block'

export type Type = 'fetch' | 'script' | 'style' | 'image' | 'font' | 'media' | 'frame' | 'worker' | 'websocket'

// The orders are those of the bits in the program (rules.Types, rules.Methods).
const types: readonly (Type | undefined)[] = ['fetch', 'script', 'style', 'image', 'font', 'media', 'frame', 'worker', 'websocket']
const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

// typeBit is 0 for what no rule can name.
export function typeBit(type: Type | undefined): number {
  if (type === 'fetch') return 1
  const i = types.indexOf(type)
  return i < 0 ? 0 : 1 << i
}

// methodBit: every method that no rule can name shares one bit.
export function methodBit(method: string): number {
  if (method === 'GET') return 1
  const i = methods.indexOf(method)
  return 1 << (i < 0 ? methods.length : i)
}

const magic = 0x50474c42
const version = 2
const headerWords = 14
export const wordsPerKey = 3
export const wordsPerTarget = 3
export const wordsPerRule = 3
export const wordsPerExtra = 3
// maxHost is the longest host, in bytes: no longer name can be resolved.
export const maxHost = 253

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
  if (word(0) !== magic || word(1) !== version || word(2) !== text.length) return undefined
  const filter = headerWords
  const slots = filter + word(6)
  const keys = slots + word(7)
  const targets = keys + word(8) * wordsPerKey
  const rules = targets + word(9) * wordsPerTarget
  const extras = rules + word(10) * wordsPerRule
  const layers = extras + word(11) * wordsPerExtra
  const pool = (layers + word(12)) * 4
  if (pool + word(13) !== text.length || !isPower(word(6)) || !isPower(word(7)) || checksum(words) !== word(3)) return undefined
  const flags = word(4)
  const base = word(5)
  const powers = new Int32Array(maxHost + 1)
  for (let i = 0, power = 1; i <= maxHost; i++, power = Math.imul(power, base)) powers[i] = power
  return {
    words, filter, slots, keys, targets, rules, extras, layers, bytes, pool, base, powers,
    shift: Math.clz32(word(7)) + 1, filterShift: Math.clz32(word(6)) + 1 - 5, audit: (flags & 1) !== 0, ceilings: flags >>> 8,
    texts: new Map(),
  }
}

function isPower(n: number): boolean {
  return n !== 0 && (n & (n - 1)) === 0
}

// checksum covers all words but its own (FNV-1a by words).
function checksum(words: Uint32Array): number {
  let h = 0x811c9dc5
  for (const [i, word] of words.entries()) {
    if (i !== 3) h = Math.imul(h ^ word, 0x01000193)
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
    file: layer(program, place >>> 24),
    line: place & 0xffffff,
  }
}

// layer returns the name of one of the policy's files; the first is its own.
export function layer(program: Program, number: number): string {
  return text(program, program.words[program.layers + number] ?? 0)
}
