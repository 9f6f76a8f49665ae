// Loading the code of an isolated execution, which has no address.
import type { IsolatedExecution } from './data.gen'

// IsolatedCode is what the worker needs of an execution, if the code runs in one.
export type IsolatedCode = Pick<IsolatedExecution, 'code' | 'args' | 'resultLimit' | 'hidden' | 'methods'>

export function load(code: string): () => Promise<unknown> {
  const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
  return () => import(address)
}
