// Console arguments as text: readable, bounded, and without running the page's
// getters.

const textLength = 8_192 // characters of one report
const depthLimit = 4
const entryLimit = 50

export function cut(value: unknown, length = textLength): string {
  const all = String(value)
  return all.length > length ? `${all.slice(0, length)}… (${all.length} characters)` : all
}

export function text(values: readonly unknown[]): string {
  const rest = [...values]
  const first = typeof rest[0] === 'string' ? [format(rest)] : []
  return cut([...first, ...rest.map((value) => (typeof value === 'string' ? value : safely(value)))].join(' '))
}

// format takes the first value and those that its specifiers name (Console
// Standard, section 2.2.1); %c is a style and leaves no text.
function format(rest: unknown[]): string {
  const parts = String(rest.shift()).split('%')
  let out = parts[0] ?? ''
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i] ?? ''
    const specifier = part.charAt(0)
    if (part === '' && i < parts.length - 1) {
      // Two percent signs are one.
      out += `%${parts[++i] ?? ''}`
    } else if (rest.length === 0 || !'sdifoOc'.includes(specifier) || specifier === '') {
      out += `%${part}`
    } else {
      out += (specifier === 'c' ? (rest.shift(), '') : safely(rest.shift())) + part.slice(1)
    }
  }
  return out
}

// A proxy or a revoked object may throw wherever it is touched.
function safely(value: unknown): string {
  try {
    return inspect(value, 0, new Set())
  } catch {
    return '(an object that cannot be looked at)'
  }
}

function inspect(value: unknown, depth: number, above: ReadonlySet<object>): string {
  switch (typeof value) {
    case 'string':
      return depth === 0 ? value : JSON.stringify(cut(value, 1_024))
    case 'bigint':
      return `${value}n`
    case 'function':
      return `ƒ ${value.name}()`
    case 'object':
      return value === null ? 'null' : inspectObject(value, depth, above)
    default:
      return String(value)
  }
}

function inspectObject(value: object, depth: number, above: ReadonlySet<object>): string {
  if (value instanceof Error) return cut(value.stack ?? `${value.name}: ${value.message}`)
  if (value instanceof Date || value instanceof RegExp) return String(value)
  if (value instanceof Element) return `<${value.localName}${value.id === '' ? '' : `#${value.id}`}>`
  if (above.has(value)) return '(circular)'
  const array = Array.isArray(value)
  if (depth >= depthLimit) return array ? '[…]' : '{…}'
  const within = new Set(above).add(value)
  if (value instanceof Map) return `Map(${value.size}) ${inspect([...value].slice(0, entryLimit), depth, within)}`
  if (value instanceof Set) return `Set(${value.size}) ${inspect([...value].slice(0, entryLimit), depth, within)}`
  const entries = Object.entries(Object.getOwnPropertyDescriptors(value)).filter(([name, property]) => property.enumerable === true && name !== 'length')
  const shown = entries.slice(0, entryLimit).map(([name, property]) => {
    const content = property.get === undefined ? inspect(property.value, depth + 1, within) : '(…)'
    return array ? content : `${name}: ${content}`
  })
  if (entries.length > entryLimit) shown.push(`… ${entries.length - entryLimit} more`)
  return array ? `[${shown.join(', ')}]` : `{${shown.join(', ')}}`
}
