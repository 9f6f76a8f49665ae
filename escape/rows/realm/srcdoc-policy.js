// A srcdoc document that gives itself wide policies by meta elements, the headers' names among them.
import { tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  const meta = (name, value) => `<meta http-equiv="${name}" content="${value}">`
  await t.frame((frame) => {
    frame.srcdoc = `${meta('Content-Security-Policy', "default-src * 'unsafe-inline'")}${meta('Connection-Allowlist', '(&quot;*&quot;)')}${meta('X-DNS-Prefetch-Control', 'on')}<script>${source}</script>`
  })
  await over
}
