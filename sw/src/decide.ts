// The decision: may this request leave? firewall/decide.go and rules/match.go
// in Go are the same functions, and the shared vectors hold the two sides
// together. Pure functions; what cannot be judged for certain is blocked.
import { isProgram } from './program'
import type { Action, Part, Program, Rule, Segment, Target, Type } from './program'
import { canonical, isPrivate } from './url'
import type { Canonical } from './url'

export interface DecisionRequest {
  readonly method: string
  // url is the browser's own serialisation, request.url.
  readonly url: string
  readonly type: Type | undefined
}

// Code says in one word why a verdict fell: the codes of package firewall.
export type Code =
  | 'rule' | 'default' | 'private-address' | 'noncanonical' | 'too-long' | 'unsupported-scheme' | 'unsupported-type' | 'no-program'

export interface Decision {
  readonly action: Action
  // rule is the id of the rule that decided, or ''.
  readonly rule: string
  // code is one of Code; the worker adds its own for what happens later, such
  // as a redirect.
  readonly code: string
  readonly reason: string
  readonly file: string
  // line is 0 if no rule decided.
  readonly line: number
}

// decide: a matching block rule wins, unless one of its own exceptions matches;
// then a matching allow rule; then everything is blocked. The order of rules
// matters only for which of several the decision names, the first.
export function decide(program: Program | undefined, request: DecisionRequest): Decision {
  if (!isProgram(program)) return block('no-program', 'there is no policy, so everything is blocked', '')
  const url = canonical(request.url)
  if ('code' in url) return block(url.code, url.reason, program.file)
  const type = request.type
  if (type === undefined) return block('unsupported-type', 'no rule can allow this type of request', program.file)
  if ((url.scheme === 'ws' || url.scheme === 'wss') !== (type === 'websocket')) {
    return block('unsupported-type', `a ${type} request cannot have the scheme ${url.scheme}`, program.file)
  }
  const rule = winner(program.rules, request.method, type, url)
  if (rule !== undefined) {
    const reason = rule.reason === '' ? `rule ${rule.id} ${rule.action}s it` : rule.reason
    return { action: rule.action, rule: rule.id, code: 'rule', reason, file: program.file, line: rule.line }
  }
  if (isPrivate(url.host)) return block('private-address', 'a private or loopback address, and no rule names it', program.file)
  return block('default', 'no rule allows it', program.file)
}

function block(code: Code, reason: string, file: string): Decision {
  return { action: 'block', rule: '', code, reason, file, line: 0 }
}

function winner(rules: readonly Rule[], method: string, type: Type, url: Canonical): Rule | undefined {
  let allow: Rule | undefined
  for (const rule of rules) {
    if (rule.action === 'allow' && allow !== undefined) continue
    if (!rule.types.includes(type) || (rule.methods.length > 0 && !rule.methods.includes(method))) continue
    if (rule.action === 'allow') {
      if (opens(rule.targets, url)) allow = rule
    } else if (rule.targets.some((target) => matches(target, url)) && !opens(rule.except, url)) {
      return rule
    }
  }
  return allow
}

// opens: where a request is let out, a star stands for no internationalised
// label, because browsers differ in how they spell these; in a block it does.
function opens(targets: readonly Target[], url: Canonical): boolean {
  return targets.some((target) => matches(target, url) && namesIDN(target, url.host))
}

function matches(target: Target, url: Canonical): boolean {
  return target.scheme === url.scheme && (target.port === 0 || target.port === url.port) &&
    matchesHost(target, url.host) && (target.path === null || matchesPath(target.path, url.path))
}

function matchesHost({ host: { sub, labels } }: Target, host: string): boolean {
  const parts = host.split('.')
  const above = parts.length - labels.length
  if (labels.length === 0 || (sub ? above < 1 : above !== 0)) return false
  return labels.every((label, i) => matchesPart(label, parts[above + i]))
}

function namesIDN({ host: { labels } }: Target, host: string): boolean {
  const parts = host.split('.')
  const above = parts.length - labels.length
  return parts.every((part, i) => !part.startsWith('xn--') || labels[i - above]?.star === false)
}

function matchesPart({ prefix, star, suffix }: Part, text: string | undefined): boolean {
  if (text === undefined) return false
  if (!star) return text === prefix
  return text.length >= prefix.length + suffix.length && text.startsWith(prefix) && text.endsWith(suffix)
}

// matchesPath: on a mismatch the last "**" takes one more segment. An earlier
// one need never be tried again, since whatever it could take, the last can too.
function matchesPath(pattern: readonly Segment[], path: string): boolean {
  const segments = path.split('/')
  let next = 0
  let retry = -1
  let restart = 0
  let at = 1 // segment 0 is the nothing before the first slash
  while (at < segments.length) {
    const segment = pattern[next]
    if (segment?.any === true) {
      retry = ++next
      restart = ++at
    } else if (segment !== undefined && matchesPart(segment, segments[at])) {
      next++
      at++
    } else if (retry >= 0) {
      next = retry
      at = ++restart
    } else {
      return false
    }
  }
  return next === pattern.length
}

// requestType maps a request's destination to the word that rules use, or to
// undefined for what no rule can allow. An empty destination in navigate mode
// is not a fetch but something about which nothing is known.
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
