// The compiled policy, as rules.Program in Go writes it. Go parses, checks and
// fills in; here it is only read.

export type Action = 'allow' | 'block'

export type Type = 'fetch' | 'script' | 'style' | 'image' | 'font' | 'media' | 'frame' | 'worker' | 'websocket'

export interface Program {
  readonly version: number
  readonly file: string
  readonly rules: readonly Rule[]
}

export interface Rule {
  readonly id: string
  readonly action: Action
  // methods is empty for any.
  readonly methods: readonly string[]
  readonly types: readonly Type[]
  readonly reason: string
  readonly line: number
  readonly targets: readonly Target[]
  readonly except: readonly Target[]
}

export interface Target {
  readonly scheme: string
  readonly host: Host
  // port is 0 for any.
  readonly port: number
  // path is null for any.
  readonly path: readonly Segment[] | null
}

export interface Host {
  // sub stands for one or more labels before labels.
  readonly sub: boolean
  readonly labels: readonly Part[]
}

// A Part is a label or segment; a star stands between prefix and suffix.
export interface Part {
  readonly prefix: string
  readonly star: boolean
  readonly suffix: string
}

// A Segment with any set is "**": one or more whole segments.
export interface Segment extends Part {
  readonly any: boolean
}

// The format that this code reads; rules.ProgramVersion in Go.
const version = 1

// Each program is looked through once: there is one a revision, and a decision
// for each request.
const known = new WeakMap<object, boolean>()

// isProgram reports whether all of the value has the shape above. Part of a
// program is no program: a rule that got lost could be the one that blocks.
export function isProgram(value: unknown): value is Program {
  if (!isObject(value)) return false
  let ok = known.get(value)
  if (ok === undefined) {
    ok = value['version'] === version && typeof value['file'] === 'string' && every(value['rules'], isRule)
    known.set(value, ok)
  }
  return ok
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function every(value: unknown, is: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is)
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isRule(value: unknown): boolean {
  return isObject(value) && isString(value['id']) && (value['action'] === 'allow' || value['action'] === 'block') &&
    every(value['methods'], isString) && every(value['types'], isString) && isString(value['reason']) &&
    typeof value['line'] === 'number' && every(value['targets'], isTarget) && every(value['except'], isTarget)
}

function isTarget(value: unknown): boolean {
  return isObject(value) && isString(value['scheme']) && typeof value['port'] === 'number' && isHost(value['host']) &&
    (value['path'] === null || every(value['path'], isSegment))
}

function isHost(value: unknown): boolean {
  return isObject(value) && typeof value['sub'] === 'boolean' && every(value['labels'], isPart)
}

function isPart(value: unknown): boolean {
  return isObject(value) && isString(value['prefix']) && typeof value['star'] === 'boolean' && isString(value['suffix'])
}

function isSegment(value: unknown): boolean {
  return isPart(value) && isObject(value) && typeof value['any'] === 'boolean'
}
