// Writing the result of an execution as JSON: everything that a structured clone can
// hold, with type marks for values that JSON lacks. docs/execute.md has the table.
import type { Result } from '../protocol/protocol.gen'

const depthLimit = 500
// How many values are searched for the one that cannot be cloned.
const searchLimit = 10_000

// UnserializableError says where the value is that cannot be written.
export class UnserializableError extends Error {}

export class TooLargeError extends Error {}

const { clone, stringify } = { clone: structuredClone, stringify: JSON.stringify }

// serialize writes a Result of at most limit bytes.
export function serialize(value: unknown, limit: number): string {
  let copy: unknown
  try {
    copy = clone(value)
  } catch (error) {
    const found = search(value, '', new Set())
    if (found !== undefined) throw unserializable(found.at, found.what)
    throw new UnserializableError(`The result cannot be cloned: ${error instanceof Error ? error.message : String(error)}.`)
  }
  const writer = new Writer(limit)
  const result: Result = { value: writer.write(copy, '', 0), types: writer.types }
  // Without a prototype, where the code could have put a toJSON.
  const text = stringify(Object.assign(Object.create(null) as object, result))
  if (new TextEncoder().encode(text).length > limit) throw tooLarge(limit)
  return text
}

function tooLarge(limit: number): TooLargeError {
  return new TooLargeError(`The result is larger than ${limit} bytes of JSON.`)
}

function unserializable(at: string, what: string): UnserializableError {
  return new UnserializableError(`${at === '' ? 'The result' : `The result's ${at}`} is ${what}, which cannot be serialized.`)
}

// search finds the first value that a structured clone rejects.
function search(value: unknown, at: string, seen: Set<unknown>): { readonly at: string; readonly what: string } | undefined {
  if (typeof value === 'function' || typeof value === 'symbol') return { at, what: `a ${typeof value}` }
  if (typeof value !== 'object' || value === null || seen.has(value) || seen.size > searchLimit) return undefined
  seen.add(value)
  const entries = value instanceof Map ? [...value].map((pair, i): [string, unknown] => [String(i), pair])
    : value instanceof Set ? [...value].entries() : Object.entries(value)
  for (const [name, member] of entries) {
    const found = search(member, `${at}/${escape(String(name))}`, seen)
    if (found !== undefined) return found
  }
  try {
    clone(value)
    return undefined
  } catch {
    return { at, what: `a ${nameOf(value)}` }
  }
}

// escape writes a name for a JSON Pointer (RFC 6901, section 3).
function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

// A Writer converts a clone, whose values have their real types, into JSON values.
class Writer {
  readonly types = Object.create(null) as Record<string, string>
  private readonly above = new Map<object, string>()
  private left: number

  constructor(private readonly limit: number) {
    this.left = limit
  }

  write(value: unknown, at: string, depth: number): unknown {
    this.take(2)
    if (typeof value === 'object' && value !== null) return this.nested(value, at, depth)
    switch (typeof value) {
      case 'string':
        this.take(value.length)
        return value
      case 'undefined':
        return this.as('undefined', at, null)
      case 'bigint':
        return this.as('bigint', at, String(value))
      case 'number':
        if (Object.is(value, -0)) return this.as('-0', at, 0)
        return Number.isFinite(value) ? value : this.as(String(value), at, null)
      default:
        return value
    }
  }

  private take(size: number): void {
    this.left -= size
    if (this.left < 0) throw tooLarge(this.limit)
  }

  private as(type: string, at: string, value: unknown): unknown {
    this.take(at.length + type.length)
    this.types[at] = type
    return value
  }

  private nested(value: object, at: string, depth: number): unknown {
    const cycle = this.above.get(value)
    if (cycle !== undefined) return this.as(`cycle ${cycle}`, at, null)
    if (depth >= depthLimit) throw unserializable(at, `below ${depthLimit} others`)
    this.above.set(value, at)
    const written = this.object(value, at, depth + 1)
    this.above.delete(value)
    return written
  }

  private object(value: object, at: string, depth: number): unknown {
    const list = (values: readonly unknown[]): unknown[] => Array.from(values, (each, i) => this.write(each, `${at}/${i}`, depth))
    if (Array.isArray(value)) return list(this.bounded(value))
    if (value instanceof Date) return this.as('Date', at, Number.isNaN(value.getTime()) ? null : value.toISOString())
    if (value instanceof RegExp) return this.as('RegExp', at, String(value))
    if (value instanceof Map) return this.as('Map', at, list([...value]))
    if (value instanceof Set) return this.as('Set', at, list([...value]))
    if (value instanceof Error) return this.as('Error', at, { name: value.name, message: value.message, stack: value.stack ?? '' })
    if (value instanceof ArrayBuffer) return this.as('ArrayBuffer', at, this.base64(new Uint8Array(value)))
    if (ArrayBuffer.isView(value)) {
      return this.as(nameOf(value), at, this.base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)))
    }
    if (value instanceof Number || value instanceof String || value instanceof Boolean) return this.write(value.valueOf(), at, depth)
    if (Object.getPrototypeOf(value) !== Object.prototype) throw unserializable(at, `a ${nameOf(value)}`)
    const written = Object.create(null) as Record<string, unknown>
    for (const [name, member] of Object.entries(value)) {
      this.take(name.length)
      written[name] = this.write(member, `${at}/${escape(name)}`, depth)
    }
    return written
  }

  // bounded rejects a list that does not fit, before it is walked.
  private bounded(list: readonly unknown[]): readonly unknown[] {
    if (2 * list.length > this.left) throw tooLarge(this.limit)
    return list
  }

  private base64(bytes: Uint8Array): string {
    this.take(Math.ceil(bytes.length / 3) * 4)
    let binary = ''
    for (let i = 0; i < bytes.length; i += 8_192) binary += String.fromCharCode(...bytes.subarray(i, i + 8_192))
    return btoa(binary)
  }
}

function nameOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1)
}
