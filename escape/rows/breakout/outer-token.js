// The outer frame's own endpoints, its events and its reports, with forged tokens; an answer of any kind is a breach.
import { ask, id, outer } from './around.shared.js'

export default async (t) => {
  for (const token of ['', id, 'undefined', '*']) {
    await ask(t, [`${outer}/${id}/events?token=${token}`])
    await ask(t, [`${outer}/${id}/reports?token=${token}`], { method: 'POST', body: JSON.stringify({ dropped: 0, page: [{ kind: 'console', level: 'log', text: 'x' }], outer: [] }) })
  }
}
