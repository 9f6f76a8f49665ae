// The one error of the client.
import type { Problem } from './schemas.gen'

type Reason = Pick<Problem, 'code' | 'detail' | 'status'>

export class APIError extends Error {
  override readonly name = 'APIError'
  readonly code: string
  readonly detail: string
  readonly status: number
  readonly problem: Problem | undefined

  constructor({ code, detail, status }: Reason, options: ErrorOptions & { readonly problem?: Problem | undefined } = {}) {
    super(`${code}: ${detail}`, options)
    this.code = code
    this.detail = detail
    this.status = status
    this.problem = options.problem
  }
}

// check throws unless the server accepted the request.
export async function check(response: Response, what: string): Promise<void> {
  if (response.ok) return
  const { status } = response
  const text = await response.text().catch(() => '')
  const problem = parse(text)
  if (problem !== undefined) throw new APIError({ ...problem, status }, { problem })
  throw new APIError({ code: 'refused', status, detail: `${what} was answered with status ${status}, and not by Bellglass. Check the address in api, and what is between here and the server.` })
}

function parse(text: string): Problem | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return isProblem(read) ? read : undefined
  } catch {
    return undefined
  }
}

function isProblem(data: unknown): data is Problem {
  return typeof data === 'object' && data !== null && 'code' in data && typeof data.code === 'string' && 'detail' in data && typeof data.detail === 'string'
}
