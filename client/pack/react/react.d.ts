/** A React component for `<bellglass-sandbox>`, for React 18 and 19. */
import type { ForwardRefExoticComponent, HTMLAttributes, RefAttributes } from 'react'
import type { BellglassSandbox, SandboxEventMap } from 'bellglass'

/**
 * The element's settings, its events, and the attributes of every element, such as
 * `className`, `style`, and `title`. A handler gets the element's event: what it says is in
 * `event.detail`. A changed handler takes effect without a restart of the sandbox.
 */
export interface SandboxProps extends Omit<HTMLAttributes<BellglassSandbox>, 'onError' | 'children' | 'dangerouslySetInnerHTML'> {
  /** The sandbox's outer address. Another address shows another sandbox. */
  readonly src: string
  /** The address of your own backend that stands for `/api/v1`. */
  readonly api?: string | undefined
  /** Sent to `api` as a bearer token. It is never in the markup. */
  readonly token?: string | undefined
  /** The permissions to delegate to the frame. Read when the frame is created. */
  readonly allow?: string | undefined
  /** The element's height follows that of the sandbox's document. */
  readonly autosize?: boolean | undefined
  /** Changes of files are shown without a boot, as soon as they are there. */
  readonly liveUpdate?: boolean | undefined
  /** How long the frame may take to load, in milliseconds. Default: 30,000. */
  readonly timeout?: number | undefined
  /** The id of an event. Only later events of the log are reported. */
  readonly afterEvent?: number | undefined

  readonly onState?: ((event: SandboxEventMap['state']) => void) | undefined
  readonly onReady?: ((event: SandboxEventMap['ready']) => void) | undefined
  readonly onVerdict?: ((event: SandboxEventMap['verdict']) => void) | undefined
  readonly onBlocked?: ((event: SandboxEventMap['blocked']) => void) | undefined
  readonly onConsole?: ((event: SandboxEventMap['console']) => void) | undefined
  readonly onError?: ((event: SandboxEventMap['error']) => void) | undefined
  readonly onLifecycle?: ((event: SandboxEventMap['lifecycle']) => void) | undefined
  readonly onShown?: ((event: SandboxEventMap['shown']) => void) | undefined
}

/** Shows one sandbox. The ref is the element, with `reload`, `writeFile`, `execute`, … */
export declare const Sandbox: ForwardRefExoticComponent<SandboxProps & RefAttributes<BellglassSandbox>>
