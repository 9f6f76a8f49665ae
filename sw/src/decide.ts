// The decision: may this request leave? rules/program/decide.go is the same function on the
// same bytes, and shared vectors keep both in step. All functions are pure. A request that
// cannot be judged with certainty is blocked.
import type { Action } from '../../protocol/protocol.gen'
import { layer, methodBit, rule, typeBit } from './program'
import type { Program } from './program'
import { reasons, schemes } from './program.gen'
import type { Code, Type } from './program.gen'
import { none, Search } from './search'
import { locate } from './url'

export interface DecisionRequest {
  readonly method: string
  // url is the URL as the browser serialized it, request.url.
  readonly url: string
  readonly type: Type | undefined
}

// NumberedVerdict is a verdict that names its rule by number. explain turns it into words.
export interface NumberedVerdict {
  readonly action: Action
  readonly code: Code
  // rule is the number of the rule that decided, or -1.
  readonly rule: number
  readonly reason: string
}

export interface Verdict {
  readonly action: Action
  // rule is the id of the rule that decided, or ''.
  readonly rule: string
  // code is a Code. The worker adds codes of its own for later outcomes, such as a redirect.
  readonly code: string
  readonly reason: string
  readonly file: string
  // line is 0 if no rule decided.
  readonly line: number
}

// decide judges a request and says why.
export function decide(program: Program | undefined, request: DecisionRequest): Verdict {
  return explain(program, judge(program, request))
}

// judge applies the rules in this order. A matching block rule wins, unless one of its own
// exceptions matches. Then a matching allow rule wins, if every ceiling also allows the
// request. Everything else is blocked. If several rules match, the verdict names the first;
// the order of rules matters for nothing else.
export function judge(program: Program | undefined, request: DecisionRequest): NumberedVerdict {
  if (program === undefined) return block('no-program', reasons.noProgram)
  const search = searchOf(program)
  const { url } = search
  const refusal = locate(request.url, program.base, url)
  if (refusal !== undefined) return block(refusal.code, refusal.reason)
  const type = typeBit(request.type)
  if (type === 0) return block('unsupported-type', reasons.type)
  if (url.scheme >= schemes.ws !== (request.type === 'websocket')) {
    return block('unsupported-type', 'a WebSocket and no other request has the scheme ws or wss')
  }
  search.run(methodBit(request.method), type)
  if (search.block !== none) return { action: 'block', code: 'rule', rule: search.block, reason: reasons.blocks }
  if (search.allow !== none && (search.allowing & program.ceilings) !== program.ceilings) {
    return { action: 'block', code: 'ceiling', rule: search.allow, reason: reasons.ceiling }
  }
  if (search.allow !== none) return { action: 'allow', code: 'rule', rule: search.allow, reason: reasons.allows }
  if (url.isPrivate()) return block('private-address', reasons.private)
  if (program.audit && request.type !== 'frame' && request.type !== 'websocket') {
    return { action: 'allow', code: 'audit', rule: -1, reason: reasons.audit }
  }
  return block('default', reasons.default)
}

let lastSearch: { readonly program: Program; readonly search: Search } | undefined

// searchOf caches the search of the program that was used last.
function searchOf(program: Program): Search {
  if (lastSearch?.program !== program) lastSearch = { program, search: new Search(program) }
  return lastSearch.search
}

function block(code: Code, reason: string): NumberedVerdict {
  return { action: 'block', code, rule: -1, reason }
}

// explain names the rule, its file and line, and its reason.
export function explain(program: Program | undefined, { action, code, rule: number, reason }: NumberedVerdict): Verdict {
  if (program === undefined || number < 0) {
    return { action, code, rule: '', reason, file: program === undefined ? '' : layer(program, 0), line: 0 }
  }
  const found = rule(program, number)
  return {
    action, code, rule: found.id, reason: found.reason === '' || code === 'ceiling' ? reason : found.reason, file: found.file, line: found.line,
  }
}

// requestType maps a request's destination to the type that rules use. It returns undefined
// for requests that no rule can allow. An empty destination in navigate mode is not a fetch,
// and its real type is unknown.
export function requestType(destination: RequestDestination | 'json', mode: RequestMode): Type | undefined {
  switch (destination) {
    case '':
      return mode === 'navigate' ? undefined : 'fetch'
    case 'json':
      return 'fetch'
    case 'script':
    case 'audioworklet':
    case 'paintworklet':
      return 'script'
    case 'style':
    case 'image':
    case 'font':
      return destination
    case 'audio':
    case 'video':
    case 'track':
      return 'media'
    case 'worker':
    case 'sharedworker':
      return 'worker'
    case 'iframe':
    case 'frame':
      return 'frame'
    default:
      return undefined
  }
}
