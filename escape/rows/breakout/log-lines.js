// Lines for the log that hold the canary's address: styles of the console, source maps, errors of scripts that do not exist.
// @control: none, nobody loads what a line names
import { turns } from './around.shared.js'

export default async (t) => {
  console.log('%cx', `background: url(${t.http('style')}); font-size: 30px`)
  console.error(`<img src="${t.http('image')}">`, { toString: () => t.http('string') })
  console.dir(Object.assign(document.createElement('div'), { title: t.http('title') }))
  reportError(new Error(t.http('error')))
  setTimeout(`throw new Error('x')\n//# sourceURL=${t.http('source.js')}\n//# sourceMappingURL=${t.http('source.map')}`)
  Promise.reject(new Error(t.http('rejection')))
  await turns()
}
