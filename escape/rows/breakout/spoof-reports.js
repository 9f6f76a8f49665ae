// Reports of the page's own making on ports of its own, with addresses of the canary in each field that might be shown or loaded.
// @control: none, nobody loads what a report names
import { turns } from './around.shared.js'

export default async (t) => {
  const { port1, port2 } = new MessageChannel()
  parent.postMessage({ kind: 'hello', protocol: 1 }, '*', [port2])
  const url = t.http('report')
  const markup = `<img src="${url}">%c\u001b[31m</script><script src="${url}"></script>`
  const reports = [
    { kind: 'console', level: 'error', text: markup, url, line: 1, col: 1 },
    { kind: 'error', text: markup, stack: `Error\n    at ${url}:1:1\n//# sourceMappingURL=${url}`, url },
    { kind: 'violation', target: url, directive: markup, url },
    { kind: 'verdict', id: 1, url, reason: markup },
    { kind: 'lifecycle', step: 'created', text: markup, source: 'server' },
  ]
  port1.postMessage({ reports, dropped: 1 })
  port1.postMessage({ reports: [{ toJSON: url, self: 1n }], dropped: 0 })
  port1.postMessage({ reports: Array.from({ length: 5000 }, () => reports[0]), dropped: 1e9 })
  await turns()
}
