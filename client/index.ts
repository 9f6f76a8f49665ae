// The library's module: importing it defines <bellglass-sandbox>. On a server that renders
// pages it defines nothing.
import { BellglassError } from './api'
import { BellglassSandbox } from './element'

const tag = 'bellglass-sandbox'

if (typeof customElements !== 'undefined') {
  if (customElements.get(tag) === undefined) customElements.define(tag, BellglassSandbox)
  else console.warn(`Bellglass: <${tag}> is defined already. Load the library once, from the server whose sandboxes the page shows.`)
}

export { BellglassError, BellglassSandbox }
