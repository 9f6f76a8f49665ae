// Explaining blocks in the page's console: the worker tells the page that it blocked
// one of its requests, and why. The log has the verdict already, so this line is not
// relayed.
import type { BlockNotice } from '../protocol/protocol.gen'

export function watchBlocks(): void {
  const warn = console.warn.bind(console)
  navigator.serviceWorker?.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (!isNotice(event.data)) return
    event.stopImmediatePropagation()
    const { method, url, rule, reason, file, line } = event.data
    const by = rule === '' ? '' : `rule ${rule} (${file}:${line}): `
    warn(`Bellglass blocked ${method} ${url}: ${by}${reason}`)
  })
}

function isNotice(data: unknown): data is BlockNotice {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'blocked'
}
