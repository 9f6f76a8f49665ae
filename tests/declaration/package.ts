// The types of the npm package's other modules are written by hand, too. The compiler checks them
// against the code here.
import * as client from '../../client/pack/node/client'
import type * as clientTypes from '../../client/pack/node/node'
import * as component from '../../client/pack/react/react'
import type * as componentTypes from '../../client/pack/react/react.d'

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
// Private members of the code are not in the types.
type Public<T> = { [K in keyof T]: T[K] }

type Exports = Same<keyof typeof client, 'APIError' | 'Client'>
type Calls = Same<Public<client.Client>, Public<clientTypes.Client>>
type Made = Same<ConstructorParameters<typeof client.Client>, ConstructorParameters<typeof clientTypes.Client>>
type Failed = Same<Public<client.APIError>, Public<clientTypes.APIError>>
type Thrown = Same<ConstructorParameters<typeof client.APIError>, ConstructorParameters<typeof clientTypes.APIError>>
type Components = Same<keyof typeof component, keyof typeof componentTypes>
// The attributes of every element are not in the code's own list.
type Settings = Same<component.SandboxProps, Pick<componentTypes.SandboxProps, keyof component.SandboxProps>>

export const agree: readonly [Exports, Calls, Made, Failed, Thrown, Components, Settings] = [true, true, true, true, true, true, true]
