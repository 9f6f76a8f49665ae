// Error responses that say why a request was refused.
import { config } from './config'

// refusal returns an error response as plain text. Its header set lets nothing load. That set
// is written into this script, so it is known even when the state is not.
export function refusal(status: number, code: string, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${text}\n\nBellglass: ${code}\n`, {
    status,
    headers: { ...config.refusal, 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  })
}
