// The 404 answer. It names the path, the revision, and the files that exist instead.
import { paths } from '../../protocol/protocol.gen'
import type { State } from './state.gen'

const shown = 20 // nearby files listed

export function notFound(path: string, state: State, navigation: boolean): Response {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const files = state.files.filter((file) => !file.path.startsWith(paths.prefix))
  const nearby = files.filter((file) => file.path.startsWith(folder)).slice(0, shown).map((file) => file.path)
  const lines = [
    `404: there is no virtual file ${path.endsWith('/') ? `${path}index.html` : path} in revision ${state.revision}.`,
    path.endsWith('/') ? (navigation ? pages(state) : '') : `The path would also find ${path}.html or ${path}/index.html.`,
    navigation && state.fallback === '' && !path.endsWith('/') ? 'For a single-page app, set the page that handles such paths: --fallback /index.html ("fallback" in the HTTP API).' : '',
    nearby.length > 0 ? `Files below ${folder}:` : `No file is below ${folder}. Files in the whole sandbox: ${files.length}.`,
    ...nearby.map((name) => `  ${name}`),
  ].filter((line) => line !== '')
  const text = lines.join('\n') + '\n'
  // The text of a page is escaped, because file names and the path come from the sandbox.
  const body = navigation ? `<!doctype html><meta charset="utf-8"><title>404</title><style>${style}</style><pre>${escape(text).replace(/^.*/, '<b>$&</b>')}</pre>` : text
  const type = navigation ? 'text/html' : 'text/plain'
  return new Response(body, { status: 404, headers: { ...state.headers, 'Content-Type': `${type}; charset=utf-8` } })
}

const style = ':root{color-scheme:light dark}body{margin:2rem;font:15px/1.6 ui-monospace,monospace}pre{font:inherit;white-space:pre-wrap;overflow-wrap:anywhere}'

// pages names the documents that a view could open instead.
function pages(state: State): string {
  const found = state.files.filter((file) => file.type.startsWith('text/html')).slice(0, shown).map((file) => file.path)
  if (found.length === 0) return 'The sandbox has no HTML file. If its folder is a project that has to be built, build it and serve the output folder.'
  return `To start with another page, use --entry ${found[0]} ("entry" in the HTTP API).${found.length > 1 ? ` The HTML files are ${found.join(', ')}.` : ''}`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
