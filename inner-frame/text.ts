// Console arguments as text: readable, bounded, and without calling the page's getters.

const textLength = 8_192 // characters of one report
const depthLimit = 4
const entryLimit = 50
// How much of one value is written before it is cut, however deep or broad it is.
const valueLength = 2 * textLength

// The remaining room for a value, in characters.
interface Room {
  left: number
}

export function cut(value: unknown, length = textLength): string {
  const all = String(value)
  return all.length > length ? `${all.slice(0, length)}… (${all.length} characters)` : all
}

export function text(values: readonly unknown[]): string {
  const rest = [...values]
  const first = typeof rest[0] === 'string' ? [format(rest)] : []
  return cut([...first, ...rest.map((value) => (typeof value === 'string' ? value : safely(value)))].join(' '))
}

// format combines the first value with those that its specifiers name (Console
// Standard, section 2.2.1). %c sets a style and leaves no text.
function format(rest: unknown[]): string {
  const parts = String(rest.shift()).split('%')
  let out = parts[0] ?? ''
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i] ?? ''
    const specifier = part.charAt(0)
    if (part === '' && i < parts.length - 1) {
      // Two percent signs stand for one.
      out += `%${parts[++i] ?? ''}`
    } else if (rest.length === 0 || !'sdifoOc'.includes(specifier) || specifier === '') {
      out += `%${part}`
    } else {
      out += (specifier === 'c' ? (rest.shift(), '') : safely(rest.shift())) + part.slice(1)
    }
  }
  return out
}

// A proxy or a revoked object may throw on any access.
function safely(value: unknown): string {
  try {
    return inspect(value, 0, new Set(), { left: valueLength })
  } catch {
    return '(an object that cannot be inspected)'
  }
}

function inspect(value: unknown, depth: number, above: ReadonlySet<object>, room: Room): string {
  if (typeof value === 'object' && value !== null) return inspectObject(value, depth, above, room)
  const written = inspectPrimitive(value, depth)
  room.left -= written.length
  return written
}

function inspectPrimitive(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return depth === 0 ? value : JSON.stringify(cut(value, 1_024))
    case 'bigint':
      return `${value}n`
    case 'function':
      return `ƒ ${value.name}()`
    default:
      return String(value)
  }
}

function inspectObject(value: object, depth: number, above: ReadonlySet<object>, room: Room): string {
  room.left -= 2
  if (value instanceof Error) return cut(inspectError(value))
  if (value instanceof Date || value instanceof RegExp) return String(value)
  // Workers have no elements.
  if (typeof Element !== 'undefined' && value instanceof Element) return `<${value.localName}${value.id === '' ? '' : `#${value.id}`}>`
  if (above.has(value)) return '(circular)'
  const array = Array.isArray(value)
  if (depth >= depthLimit) return array ? '[…]' : '{…}'
  const within = new Set(above).add(value)
  if (value instanceof Map) return `Map(${value.size}) ${inspect(firstOf(value), depth, within, room)}`
  if (value instanceof Set) return `Set(${value.size}) ${inspect(firstOf(value), depth, within, room)}`
  const { names, count } = namesOf(value)
  const shown: string[] = []
  let seen = 0
  for (const name of names) {
    if (seen === entryLimit || room.left <= 0) break
    seen++
    const property = Object.getOwnPropertyDescriptor(value, name)
    if (property === undefined) continue
    const content = property.get === undefined ? inspect(property.value, depth + 1, within, room) : '(…)'
    room.left -= name.length + 2
    shown.push(array ? content : `${name}: ${content}`)
  }
  if (count > seen) shown.push(`… ${count - seen} more`)
  return array ? `[${shown.join(', ')}]` : `{${shown.join(', ')}}`
}

// inspectError returns what was thrown and where. Only V8 begins a stack with the
// error's name and message. A network error in Firefox may have an empty stack.
function inspectError(error: Error): string {
  const thrown = Error.prototype.toString.call(error)
  const stack = error.stack ?? ''
  return stack.startsWith(thrown) ? stack : [thrown, stack].join('\n').trimEnd() // a template literal would take two lines
}

function firstOf(values: Iterable<unknown>): unknown[] {
  const first: unknown[] = []
  for (const value of values) {
    if (first.length === entryLimit) break
    first.push(value)
  }
  return first
}

const typedLength = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype) as object, 'length')?.get

// namesOf returns the first own enumerable names, and how many there are. It does not
// list an array of millions to find that out.
function namesOf(value: object): { readonly names: readonly string[]; readonly count: number } {
  const length: unknown = Array.isArray(value) ? value.length : ArrayBuffer.isView(value) && !(value instanceof DataView) ? typedLength?.call(value) : undefined
  if (typeof length !== 'number') {
    const names = Object.keys(value)
    return { names, count: names.length }
  }
  return { names: Array.from({ length: Math.min(length, entryLimit) }, (_, i) => String(i)), count: length }
}
