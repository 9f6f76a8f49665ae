// Requests of the page to its server. Every error is a sentence for people.
export async function post(path: string, body: unknown): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
  } catch {
    throw new Error('The server does not answer. Is Bellglass still running?')
  }
  if (response.status === 204) return undefined
  const answer: unknown = await response.json()
  if (response.ok) return answer
  throw new Error(typeof answer === 'object' && answer !== null && 'text' in answer ? String(answer.text) : `The server answered ${response.status}.`)
}
