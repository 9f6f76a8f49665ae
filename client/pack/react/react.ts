// The React component. It renders one <bellglass-sandbox>, and sets the element's settings
// itself, because React 18 would write each of them, also the token, into the markup.
import { createElement, forwardRef, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import type { BellglassSandbox, SandboxEventMap } from 'bellglass'
import 'bellglass'

type Handlers = { readonly [K in keyof SandboxEventMap as `on${Capitalize<K>}`]?: ((event: SandboxEventMap[K]) => void) | undefined }

export interface SandboxProps extends Handlers {
  readonly src: string
  readonly api?: string | undefined
  readonly token?: string | undefined
  readonly allow?: string | undefined
  readonly autosize?: boolean | undefined
  readonly liveUpdate?: boolean | undefined
  readonly timeout?: number | undefined
  readonly afterEvent?: number | undefined
  readonly className?: string | undefined
}

const events = {
  state: 'onState', ready: 'onReady', verdict: 'onVerdict', blocked: 'onBlocked',
  console: 'onConsole', error: 'onError', lifecycle: 'onLifecycle', shown: 'onShown',
} as const satisfies { readonly [K in keyof SandboxEventMap]: keyof Handlers }

// On a server there is no layout, and React 18 warns.
const useEarly = typeof document === 'undefined' ? useEffect : useLayoutEffect

export const Sandbox = forwardRef<BellglassSandbox, SandboxProps>(function Sandbox(props, ref) {
  const {
    src, api, token, allow, autosize, liveUpdate, timeout, afterEvent, className,
    onState, onReady, onVerdict, onBlocked, onConsole, onError, onLifecycle, onShown, ...rest
  } = props
  const element = useRef<BellglassSandbox>(null)
  const newest = useRef<Handlers>({})
  useImperativeHandle(ref, () => element.current as BellglassSandbox, [])

  // The listeners are there before the element has its src, so they hear its first event. In
  // StrictMode they are removed and added again; the element stays, and its frame with it.
  useEarly(() => {
    const target = element.current
    if (target === null) return
    const listening = new AbortController()
    for (const [type, name] of Object.entries(events)) {
      target.addEventListener(type, (event) => (newest.current[name] as ((event: Event) => void) | undefined)?.(event), { signal: listening.signal })
    }
    return () => listening.abort()
  }, [])

  useEarly(() => {
    const target = element.current
    if (target === null) return
    newest.current = { onState, onReady, onVerdict, onBlocked, onConsole, onError, onLifecycle, onShown }
    target.token = token ?? ''
    if (target.autosize !== (autosize ?? false)) target.autosize = autosize ?? false
    if (target.liveUpdate !== (liveUpdate ?? false)) target.liveUpdate = liveUpdate ?? false
    // The element starts with its src, so that comes last.
    for (const [name, value] of Object.entries({ api, allow, timeout, 'after-event': afterEvent, src })) {
      if (value === undefined) target.removeAttribute(name)
      else if (target.getAttribute(name) !== String(value)) target.setAttribute(name, String(value))
    }
  })

  // React 18 does not know className at an element like this one.
  return createElement('bellglass-sandbox', { ...rest, class: className, ref: element })
})

Sandbox.displayName = 'Sandbox'
