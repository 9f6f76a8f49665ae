// The worker's own endpoints with guessed secrets, through the worker and, from an empty frame, past it; what is read is sent out.
// @control: none, the endpoints want the secret
import { proof } from './try.shared.js'

export default async (t) => {
  const blank = document.body.appendChild(document.createElement('iframe')).contentWindow
  const guesses = ['', location.host.split('.')[0], location.host, 'undefined', 'null', 'secret', '0', '*']
  for (const realm of [window, blank]) {
    for (const guess of guesses) {
      const headers = { 'Bellglass-Secret': guess }
      const asks = ['state', 'state?have=0', 'changes', 'blob/0', 'boot'].map((path) => [path, { headers }])
      asks.push(['pack', { method: 'POST', body: '[]', headers }], ['verdicts', { method: 'POST', body: '{"dropped":0,"verdicts":[]}', headers }])
      await Promise.all(asks.map(async ([path, request]) => {
        const response = await realm.fetch(`/.bellglass/${path}`, request).catch(() => undefined)
        if (response?.ok) await proof(t, `${path} answers ${response.status} to ${guess}`)
      }))
    }
  }
}
