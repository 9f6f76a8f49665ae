// The served types are written by hand, for people. The compiler checks them against the code
// here: a member that only one of the two has is an error in this file.
import * as code from '../../client/index'
import type * as events from '../../client/events'
import type * as protocol from '../../protocol/protocol.gen'
import * as served from 'http://sandbox.localhost:3333/bellglass.js'

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
// Private members of the code are not in the types.
type Public<T> = { [K in keyof T]: T[K] }

type Exports = Same<keyof typeof code, keyof typeof served>
// The browser calls these methods, so embedders do not need them.
type Callbacks = 'connectedCallback' | 'disconnectedCallback' | 'connectedMoveCallback' | 'attributeChangedCallback'
type Element = Same<Omit<Public<code.BellglassSandbox>, Callbacks>, Public<served.BellglassSandbox>>
type Names = Same<Exclude<keyof code.BellglassSandbox, Callbacks>, keyof served.BellglassSandbox>
type Failed = Same<Public<code.BellglassError>, Public<served.BellglassError>>
type Thrown = Same<ConstructorParameters<typeof code.BellglassError>, ConstructorParameters<typeof served.BellglassError>>
type Events = Same<events.SandboxEventMap, served.SandboxEventMap>
type Event = Same<protocol.Event, served.VerdictEvent | served.ViolationEvent | served.ConsoleEvent | served.ErrorEvent | served.LifecycleEvent>

export const agree: readonly [Exports, Element, Names, Failed, Thrown, Events, Event] = [true, true, true, true, true, true, true]
