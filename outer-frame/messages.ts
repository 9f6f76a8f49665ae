// Reading messages. Anybody can send anything by postMessage. Each function here checks
// every field and returns a message of these fields alone, or undefined.
import { fieldLimit, fieldsLength, heightLimit, version, type Ask, type AskActive, type Begun, type Boot, type Bye, type Connect, type Containment, type Ended, type Failure, type FailureCode, type Field, type Outcome, type Hello, type Live, type Measure, type Path, type Phase, type Pong, type Reload, type Reports, type Size, type Stage, type Updated, type Updating } from '../protocol/protocol.gen'
import { bootFailures } from './failures'

// Texts that are shown as our own are cut to this length.
const textLength = 500 // characters
const pathLength = 2_000 // characters
// No task of a page drops more reports than this. The sum stays an exact integer.
const droppedLimit = 1e9

const phases: Readonly<Record<Phase, true>> = { started: true, waiting: true, ready: true, failed: true }
const stages: Readonly<Record<Stage, true>> = { page: true, register: true, control: true, state: true, outer: true, entry: true }
const containments: Readonly<Record<Containment, true>> = { '': true, csp: true, allowlist: true, audit: true }
// The reasons that an execution's code can give for its own end.
const failures: Readonly<Record<Extract<FailureCode, 'threw' | 'unserializable' | 'result-too-large'>, true>> = {
  threw: true, unserializable: true, 'result-too-large': true,
}
// Slightly more than the worker's limit, including its note of what it cut.
const thrownLength = 8_300 // characters

// Another is a message of a program that speaks another protocol. Nothing else of it is
// read.
export interface Another {
  readonly kind: 'mismatch'
  readonly protocol: number
}

export function readFrameMessage(data: unknown): Boot | Hello | Another | undefined {
  if (!isRecord(data) || (data['kind'] !== 'boot' && data['kind'] !== 'hello') || typeof data['protocol'] !== 'number') return undefined
  const { kind, protocol } = data
  if (protocol !== version) return { kind: 'mismatch', protocol }
  // A document of the client script names its revision and path. Others have none.
  if (kind === 'hello') return { kind, protocol, revision: isRevision(data['revision']) ? data['revision'] : 0, path: pathOf(data['path']) ?? '/' }
  const { phase, view } = data
  if (!isOne(phases, phase) || typeof view !== 'boolean') return undefined
  const boot: Boot = { kind, protocol, phase, view }
  if (phase === 'started') {
    const { enough } = data
    if (enough === undefined) return boot
    return Array.isArray(enough) && enough.length <= 4 && enough.every((level) => isOne(containments, level)) ? { ...boot, enough } : undefined
  }
  if (phase === 'waiting') {
    const { stage } = data
    return isOne(stages, stage) ? { ...boot, stage } : undefined
  }
  if (phase === 'ready') {
    const entry = pathOf(data['entry'])
    return { ...boot, ...(data['controlled'] === true ? { controlled: true } : {}), ...(data['waits'] === true ? { waits: true } : {}), ...(entry === undefined ? {} : { entry }) }
  }
  const { code } = data
  return isOne(bootFailures, code) ? { ...boot, code } : undefined
}

// The server reads the reports themselves.
export function readReports(data: unknown): Reports | undefined {
  if (!isRecord(data)) return undefined
  const { dropped, reports } = data
  if (!Array.isArray(reports) || typeof dropped !== 'number' || !Number.isInteger(dropped) || dropped < 0 || dropped > droppedLimit) return undefined
  return { dropped, reports }
}

export function readSign(data: unknown): Pong | Bye | undefined {
  if (!isRecord(data)) return undefined
  const { kind } = data
  return kind === 'pong' || kind === 'bye' ? { kind } : undefined
}

// A height that the client script would not send is rejected, not clamped.
export function readSize(data: unknown): Size | undefined {
  if (!isRecord(data) || data['kind'] !== 'size') return undefined
  const { kind, height } = data
  return typeof height === 'number' && Number.isInteger(height) && height >= 1 && height <= heightLimit ? { kind, height } : undefined
}

export function readMeasure(data: unknown): Measure | undefined {
  if (!isRecord(data) || data['kind'] !== 'measure' || typeof data['on'] !== 'boolean') return undefined
  return { kind: 'measure', on: data['on'] }
}

export function readPath(data: unknown): Path | undefined {
  if (!isRecord(data) || data['kind'] !== 'path') return undefined
  const path = pathOf(data['path'])
  return path === undefined ? undefined : { kind: 'path', path }
}

export function readUpdated(data: unknown): Updated | undefined {
  return isRecord(data) && data['kind'] === 'updated' ? { kind: 'updated' } : undefined
}

// The fields go to the next document only if the client script could have sent them.
export function readUpdating(data: unknown): Updating | undefined {
  if (!isRecord(data) || data['kind'] !== 'updating' || !Array.isArray(data['fields'])) return undefined
  const { manner, fields } = data
  if (manner !== 'document' && manner !== 'styles' && manner !== 'modules') return undefined
  return { kind: 'updating', manner, fields: readFields(fields) }
}

function readFields(data: readonly unknown[]): readonly Field[] {
  const fields: Field[] = []
  let length = 0
  for (const field of data.slice(0, fieldLimit)) {
    if (!isRecord(field)) return []
    const { key, values } = field
    if (typeof key !== 'string' || !Array.isArray(values) || values.length > fieldLimit || !values.every((value) => typeof value === 'string')) return []
    length += values.reduce((sum: number, value: string) => sum + value.length, key.length)
    fields.push({ key, values })
  }
  return length <= fieldsLength ? fields : []
}

export function readLive(data: unknown): Live | undefined {
  if (!isRecord(data) || data['kind'] !== 'live' || typeof data['on'] !== 'boolean') return undefined
  return { kind: 'live', on: data['on'] }
}

export function readConnect(data: unknown): Connect | Another | undefined {
  if (!isRecord(data) || data['kind'] !== 'connect' || typeof data['protocol'] !== 'number') return undefined
  const { kind, protocol } = data
  return protocol === version ? { kind, protocol } : { kind: 'mismatch', protocol }
}

export function readReload(data: unknown): Reload | undefined {
  return isRecord(data) && data['kind'] === 'reload' ? { kind: 'reload' } : undefined
}

export function readAskActive(data: unknown): AskActive | undefined {
  return isRecord(data) && data['kind'] === 'ask-active' ? { kind: 'ask-active' } : undefined
}

export function readEnded(data: unknown): Ended | undefined {
  if (!isRecord(data) || data['kind'] !== 'ended' || typeof data['execution'] !== 'string') return undefined
  return { kind: 'ended', execution: data['execution'] }
}

export function readBegun(data: unknown): Begun | undefined {
  return isRecord(data) && data['kind'] === 'begun' ? { kind: 'begun' } : undefined
}

export function readAsk(data: unknown): Ask | undefined {
  if (!isRecord(data) || data['kind'] !== 'ask') return undefined
  const { kind, ask, method, params } = data
  return typeof ask === 'number' && Number.isSafeInteger(ask) && typeof method === 'string' ? { kind, ask, method, params } : undefined
}

// The server reads the result itself. It accepts at most resultLimit bytes, and so no
// more characters than that.
export function readOutcome(data: unknown, resultLimit: number): Outcome | undefined {
  if (!isRecord(data) || data['kind'] !== 'outcome') return undefined
  const { kind, result, failure, dropped } = data
  if (typeof result !== 'string' || typeof dropped !== 'number' || !Number.isInteger(dropped) || dropped < 0 || dropped > droppedLimit) return undefined
  const read = readFailure(failure)
  if (read !== undefined) return { kind, result: '', failure: read, dropped }
  if (failure !== undefined) return undefined
  if (result.length > resultLimit) {
    return { kind, result: '', failure: { code: 'result-too-large', name: 'Error', message: `The result is larger than ${resultLimit} bytes of JSON.`, stack: '' }, dropped }
  }
  return { kind, result, dropped }
}

function readFailure(data: unknown): Failure | undefined {
  if (!isRecord(data)) return undefined
  const { code, name, message, stack } = data
  if (!isOne(failures, code) || typeof name !== 'string' || typeof message !== 'string' || typeof stack !== 'string') return undefined
  return { code, name: name.slice(0, thrownLength), message: message.slice(0, thrownLength), stack: stack.slice(0, thrownLength) }
}

export function cut(text: string): string {
  return text.length <= textLength ? text : `${text.slice(0, textLength)}…`
}

// pathOf returns a path of the sandbox. A long one is cut; the document at it says so itself
// if there is none.
function pathOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith('/') ? value.slice(0, pathLength) : undefined
}

function isRevision(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

function isRecord(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null
}

function isOne<T extends string>(all: Readonly<Record<T, unknown>>, value: unknown): value is T {
  return typeof value === 'string' && Object.hasOwn(all, value)
}
