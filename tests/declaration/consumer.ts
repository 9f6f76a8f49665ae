// An embedder's page, as its author would write it against the served types. Lines that must
// not compile are marked. The compiler fails if one of them compiles.
import { BellglassError, BellglassSandbox, type Failure, type StateDetail } from 'http://sandbox.localhost:3333/bellglass.js'

const sandbox = document.createElement('bellglass-sandbox')
sandbox.src = 'http://sandbox.localhost:3333/aaaaaaaaaaaaaaaaaaaaaaaaaa'
sandbox.timeout = 10_000
sandbox.token = 'secret'
document.body.append(sandbox)

const found: BellglassSandbox | null = document.querySelector('bellglass-sandbox')
found?.reload()
const name: string = found instanceof BellglassSandbox ? found.state : 'none'

sandbox.addEventListener('ready', (event) => show(event.detail))
sandbox.addEventListener('state', function (event) {
  show(event.detail)
  this.reload()
})
sandbox.addEventListener('verdict', ({ detail }) => console.log(detail.method, detail.url, detail.action, detail.rule ?? 'no rule'))
sandbox.addEventListener('blocked', ({ detail }) => console.log(detail.type === 'verdict' ? detail.url : detail.target, detail.reason))
sandbox.addEventListener('console', ({ detail }) => console.log(detail.level, detail.text, detail.place.line))
sandbox.addEventListener('lifecycle', ({ detail }) => console.log(detail.step))
sandbox.addEventListener('error', ({ detail }) => {
  if (detail.kind === 'page') console.log(detail.event.stack)
  else refused(detail)
})
sandbox.addEventListener('click', (event) => console.log(event.clientX), { once: true })
sandbox.addEventListener('of-my-own', () => {})

async function change(): Promise<number> {
  try {
    const { revision } = await sandbox.writeFile('/app.js', 'console.log(1)')
    await sandbox.writeFile('/image.png', new Uint8Array([1, 2]), { signal: AbortSignal.timeout(1_000) })
    await sandbox.setPolicy('version: 1\ndefault: block\n')
    const result: unknown = await sandbox.execute('export default (n) => n + 1', 41, { timeoutMs: 1_000, context: 'frame', capabilities: ['network:fetch'] })
    console.log(result)
    return revision
  } catch (error) {
    if (error instanceof BellglassError && error.code === 'no-api') return error.status
    throw error
  }
}

function show({ state, containment, failure }: StateDetail): void {
  console.log(state, containment, failure?.advice)
}

function refused({ code }: Failure): void {
  if (code === 'sandbox-gone' || code === 'storage-blocked') console.log(code)
  // @ts-expect-error: there is no such code
  if (code === 'gone') console.log(code)
}

// @ts-expect-error: the state is not for others to set
sandbox.state = 'ready'
// @ts-expect-error: a policy is text
void sandbox.setPolicy({ version: 1 })
// @ts-expect-error: what code returns is not known
const count: number = await sandbox.execute('export default 1')
// @ts-expect-error: a verdict holds no text
sandbox.addEventListener('verdict', ({ detail }) => console.log(detail.text))

export { change, count, name }
