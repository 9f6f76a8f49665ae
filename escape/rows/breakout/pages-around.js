// The host page and the outer frame as frames of the sandbox, of which one would be a way to their scripts.
// @control: none, the pages come from our own server
import { breach, host, id, outer } from './around.shared.js'

export default async (t) => {
  for (const address of [`${host}/`, `${host}/sandboxes/${id}`, `${outer}/${id}`]) {
    const frame = await t.frame((frame) => { frame.src = address })
    try {
      const { title } = frame.contentDocument
      if (frame.contentWindow.location.href !== 'about:blank') await breach(t, `${address} can be read: ${title}`)
    } catch (error) {
      if (String(error).includes('BREACH')) throw error
    }
  }
}
