// Answers that say why there is no other answer.
import { config } from './config'

// refusal is an error response as plain text. It carries the header set that
// lets nothing load, which is written into this script and so is known even
// when the state is not.
export function refusal(status: number, code: string, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${text}\n\nBellglass: ${code}\n`, {
    status,
    headers: { ...config.refusal, 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  })
}
