// import.meta.hot, with the semantics of Vite's HMR API. The server determines which modules accept
// a change, and gives each version of a module its own URL (compile/modules.go). Modules find this
// code by a global symbol, because they share no scope with this script.
import type { ModuleUpdate } from '../protocol/protocol.gen'
import { hasFrames } from './styles'

type Module = Readonly<Record<string, unknown>>
type Payload = Readonly<Record<string, unknown>>
type Listener = (payload: Payload) => unknown

interface Acceptance {
  readonly paths: readonly string[]
  readonly call: (modules: readonly (Module | undefined)[]) => void
}

// An Owner is a module's callbacks and data. As in Vite, a new version of the module starts without
// the acceptances and listeners of the old one, and keeps the rest.
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

  // invalid tells the server that the module at the path has called invalidate.
  constructor(private readonly invalid: (path: string) => void) {
    const make = (path: string, names: Readonly<Record<string, string>>): object => this.context(path, names)
    Object.defineProperty(window, Symbol.for('bellglass.hot'), { value: make })
  }

  // canTake reports whether the document can apply updates. If it began with an error, some of its
  // modules have not run. A frame of the same origin may run old modules.
  canTake(): boolean {
    return !hasFrames() && (this.updated || overlay() === null)
  }

  // take imports the new modules, and calls the callbacks that accept them.
  async take(updates: readonly ModuleUpdate[]): Promise<void> {
    if (updates.length === 0) return
    this.updated = true
    overlay()?.remove()
    const payload = { type: 'update', updates: updates.map(({ boundary, accepted }) => ({ type: 'js-update', path: boundary, acceptedPath: accepted })) }
    await this.tell('vite:beforeUpdate', payload)
    for (const call of await Promise.all(updates.map((update) => this.fetch(update)))) call?.()
    await this.tell('vite:afterUpdate', payload)
  }

  // leaves tells the modules that the document is about to reload.
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
      error.call(console, `Failed to reload ${accepted}:`, e)
    }
    return () => accepts.forEach(({ paths, call }) => call(paths.map((path) => (path === accepted ? module : undefined))))
  }

  private async tell(event: string, payload: Payload): Promise<void> {
    const all = [...this.owners.values()].flatMap(({ listeners }) => listeners).filter(([name]) => name === event)
    await Promise.allSettled(all.map(async ([, listener]) => listener(payload)))
  }

  // context returns the import.meta.hot of the module at the path. names maps the specifiers in its
  // calls of accept to paths.
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
      // The server does not know which exports the importers use, so it does not read this call.
      acceptExports: (_: unknown, call?: unknown): void => self(call),
      dispose: (call: Owner['dispose']): void => {
        owner.dispose = call
      },
      // Modules that nothing imports any longer stay until the document reloads.
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
      // No server receives events of modules.
      send: (): void => {},
    }
  }
}

function overlay(): Element | null {
  return document.querySelector('bellglass-overlay')
}
