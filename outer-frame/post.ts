// Sending reports to the server.

const longestWait = 30 // seconds

// post reports whether the server accepted the message. If the server says when to
// retry, post waits that long.
export async function post(path: string, message: object): Promise<boolean> {
  const body = JSON.stringify(message)
  for (;;) {
    try {
      const response = await fetch(path, { method: 'POST', body, redirect: 'error', headers: { 'Content-Type': 'application/json' } })
      if (response.ok) return true
      const wait = Number(response.headers.get('Retry-After') ?? NaN)
      if (Number.isNaN(wait)) {
        console.warn(`Bellglass: the server refused what the sandbox's page reported (${response.status}).`)
        return false
      }
      await new Promise((resolve) => setTimeout(resolve, 1_000 * Math.min(wait, longestWait)))
    } catch {
      // If the server is gone, the event stream tells the embedder.
      return false
    }
  }
}
