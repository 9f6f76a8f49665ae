// Loading the code of an isolated execution, which has no address.
export interface IsolatedCode {
  readonly code: string
  // args is JSON text, or '' for none.
  readonly args: string
  readonly resultLimit: number // bytes
  // hidden are the globals that the code does not get.
  readonly hidden: readonly string[]
  // methods are what the code may ask of the page around the outer frame.
  readonly methods: readonly string[]
}

export function load(code: string): () => Promise<unknown> {
  const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
  return () => import(address)
}
