// import.meta.hot, with the semantics of Vite's client (HMR API). The server finds out which modules
// accept a change, and gives each version of a module an address of its own (compile/modules.go).
// Modules reach this by a global symbol, because they share no scope with this script.
import type { ModuleUpdate } from '../protocol/protocol.gen'
import { hasFrames } from './styles'

type Module = Readonly<Record<string, unknown>>
type Payload = Readonly<Record<string, unknown>>
type Listener = (payload: Payload) => unknown

interface Acceptance {
  readonly paths: readonly string[]
  readonly call: (modules: readonly (Module | undefined)[]) => void
}

// What each module has asked for. Vite keeps all but the acceptances and listeners when the module
// is loaded again.
interface Owner {
  accepts: readonly Acceptance[]
  listeners: readonly (readonly [event: string, listener: Listener])[]
  dispose: ((data: object) => unknown) | undefined
  readonly data: object
}

const { console } = window
const { error } = console

export class HotModules {
  private readonly owners = new Map<string, Owner>()
  private updated = false

  // invalid tells the server that the module at the path cannot take its change.
  constructor(private readonly invalid: (path: string) => void) {
    const make = (path: string, names: Readonly<Record<string, string>>): object => this.context(path, names)
    Object.defineProperty(window, Symbol.for('bellglass.hot'), { value: make })
  }

  // canTake reports whether the document can take updates. A document that began with an error has
  // modules that did not run, and a frame of the same origin may run old ones.
  canTake(): boolean {
    return !hasFrames() && (this.updated || overlay() === null)
  }

  // take loads the modules, and calls those that accept them.
  async take(updates: readonly ModuleUpdate[]): Promise<void> {
    if (updates.length === 0) return
    this.updated = true
    overlay()?.remove()
    const payload = { type: 'update', updates: updates.map(({ boundary, accepted }) => ({ type: 'js-update', path: boundary, acceptedPath: accepted })) }
    await this.tell('vite:beforeUpdate', payload)
    for (const call of await Promise.all(updates.map((update) => this.fetch(update)))) call?.()
    await this.tell('vite:afterUpdate', payload)
  }

  // leaves tells the modules that the document is about to be loaded again.
  leaves(): void {
    void this.tell('vite:beforeFullReload', { type: 'full-reload' })
  }

  private async fetch({ boundary, accepted, url, circular }: ModuleUpdate): Promise<(() => void) | undefined> {
    const owner = this.owners.get(boundary)
    if (owner === undefined) return undefined // this document has not loaded it
    const accepts = owner.accepts.filter(({ paths }) => paths.includes(accepted))
    if (boundary !== accepted && accepts.length === 0) return undefined
    const old = this.owners.get(accepted)
    let module: Module | undefined
    try {
      if (old !== undefined) await old.dispose?.(old.data)
      module = await import(url) as Module
    } catch (e) {
      if (circular === true) throw e
      error.call(console, `${accepted} could not be loaded again:`, e)
    }
    return () => accepts.forEach(({ paths, call }) => call(paths.map((path) => (path === accepted ? module : undefined))))
  }

  private async tell(event: string, payload: Payload): Promise<void> {
    const all = [...this.owners.values()].flatMap(({ listeners }) => listeners).filter(([name]) => name === event)
    await Promise.allSettled(all.map(async ([, listener]) => listener(payload)))
  }

  // context returns the import.meta.hot of the module at the path. names has the paths of the
  // modules that it accepts by the specifiers in its source.
  private context(path: string, names: Readonly<Record<string, string>>): object {
    const known = this.owners.get(path)
    const owner: Owner = known ?? { accepts: [], listeners: [], dispose: undefined, data: {} }
    owner.accepts = owner.listeners = []
    this.owners.set(path, owner)
    const accept = (paths: readonly string[], call: Acceptance['call']): void => {
      owner.accepts = [...owner.accepts, { paths, call }]
    }
    const self = (call: unknown): void => accept([path], ([module]) => {
      if (typeof call === 'function') call(module)
    })
    return {
      data: owner.data,
      accept: (what?: unknown, call?: (module: unknown) => void): void => {
        if (what === undefined || what === null || typeof what === 'function') self(what)
        else if (typeof what === 'string') accept([names[what] ?? what], ([module]) => call?.(module))
        else if (Array.isArray(what)) accept(what.map((name: string) => names[name] ?? name), (modules) => call?.(modules))
        else throw new TypeError('import.meta.hot.accept takes a function, a specifier, or a list of specifiers.')
      },
      // The server does not know which names are used, so any other change is a load.
      acceptExports: (_: unknown, call?: unknown): void => self(call),
      dispose: (call: Owner['dispose']): void => {
        owner.dispose = call
      },
      // Modules that nothing imports any more stay until the next load.
      prune: (): void => {},
      decline: (): void => {},
      invalidate: (message?: string): void => {
        void this.tell('vite:invalidate', { path, message })
        this.invalid(path)
      },
      on: (event: string, listener: Listener): void => {
        owner.listeners = [...owner.listeners, [event, listener]]
      },
      off: (event: string, listener: Listener): void => {
        owner.listeners = owner.listeners.filter(([name, other]) => name !== event || other !== listener)
      },
      // There is no server to which a module could send.
      send: (): void => {},
    }
  }
}

function overlay(): Element | null {
  return document.querySelector('bellglass-overlay')
}
