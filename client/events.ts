// What the element reports, by the names of its events.
import { version, type BootCode, type ConsoleEvent, type Containment, type ErrorEvent as PageErrorEvent, type LifecycleEvent, type Manner, type VerdictEvent, type ViolationEvent } from '../protocol/protocol.gen'
import type { Silence } from './connection'

export type SandboxState = 'idle' | 'booting' | 'warm' | 'ready' | 'disconnected' | 'failed'

// The failures that the element detects itself. The outer frame reports the others.
type OwnCode = Silence | 'sandbox-gone' | 'focus-taken' | 'bad-source' | 'foreign-document'

export type FailureCode = BootCode | OwnCode

export interface Failure {
  readonly kind: 'failure'
  readonly code: FailureCode
  readonly text: string
  readonly advice: string
}

export interface PageError {
  readonly kind: 'page'
  readonly text: string
  readonly event: PageErrorEvent
}

export interface StateDetail {
  readonly state: SandboxState
  readonly containment: Containment
  readonly failure: Failure | undefined
}

export interface ShownDetail {
  readonly manner: Manner
  readonly path: string
  readonly revision: number
}

export interface SandboxEventMap {
  readonly state: CustomEvent<StateDetail>
  readonly ready: CustomEvent<StateDetail>
  readonly shown: CustomEvent<ShownDetail>
  readonly verdict: CustomEvent<VerdictEvent>
  readonly blocked: CustomEvent<VerdictEvent | ViolationEvent>
  readonly console: CustomEvent<ConsoleEvent>
  readonly error: CustomEvent<PageError | Failure>
  readonly lifecycle: CustomEvent<LifecycleEvent>
}

export function failure(code: OwnCode): Failure {
  const [text, advice] = words[code]
  return { kind: 'failure', code, text, advice }
}

// mismatch is the failure of a script and a server that speak different protocols.
export function mismatch(served: number): Failure {
  return {
    kind: 'failure', code: 'version-mismatch', text: `This page’s Bellglass library speaks protocol ${version}, and the server speaks protocol ${served}.`,
    advice: 'Install the version of the package bellglass that has the version of the server, or load the library from the server. Then reload the page.',
  }
}

const words: Readonly<Record<OwnCode, readonly [text: string, advice: string]>> = {
  'frame-timeout': ['The sandbox’s frame did not load in time.', 'Check that Bellglass is running and can be reached from this browser. The frame is reloaded automatically.'],
  'local-network-blocked': ['The browser does not let this page reach Bellglass on this machine.', 'Allow this site to access apps on this device, in the browser’s site settings, and reload the page. Or open Bellglass’s own page.'],
  'no-answer': ['The sandbox’s frame does not answer.', 'Check that Bellglass is running, that it still has this sandbox, that this page’s origin is one of its embedders, and that this library comes from the same server.'],
  'sandbox-gone': ['The server no longer has this sandbox.', 'Make a new sandbox and show it. IDs are never reused.'],
  'focus-taken': ['The sandbox repeatedly took the keyboard focus from this page, so Bellglass ended it.', 'Reload it if you trust it with what you type. Its code must not call focus() while you use another part of the page.'],
  'bad-source': ['The element’s src is not the address of a sandbox.', 'Set src to the outer address that the server gave for the sandbox, such as http://sandbox.localhost:3333/ and the sandbox’s id.'],
  'foreign-document': ['The element is in another document than the one that loaded the library.', 'Load the library in that document, and create the element there.'],
}
