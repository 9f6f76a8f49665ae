// The worker's script, which holds the sandbox's secret, is read in every way that a page has; what is read is sent out.
// @alone: unregisters the worker
// @control: none, the server sends the script only to a registration
import { load, proof, unregister } from './try.shared.js'

const worker = '/.bellglass/sw.js'

async function read(realm) {
  const headers = { 'Service-Worker': 'script', 'Sec-Fetch-Dest': 'serviceworker', 'Sec-Fetch-Mode': 'same-origin' }
  const requests = [
    {}, { headers }, { headers, mode: 'same-origin' }, { headers, cache: 'force-cache' }, { headers, cache: 'only-if-cached', mode: 'same-origin' },
    { headers, method: 'POST' }, { headers, referrer: worker }, { headers: { ...headers, Range: 'bytes=0-' } },
  ]
  const fetched = requests.map(async (request) => {
    const response = await realm.fetch(worker, request)
    return response.ok ? response.text() : ''
  })
  const request = new realm.XMLHttpRequest()
  request.open('GET', worker)
  for (const name in headers) request.setRequestHeader(name, headers[name])
  const asked = new Promise((resolve) => {
    request.onloadend = () => resolve(request.status === 200 ? request.responseText : '')
    request.send()
  })
  const texts = await Promise.allSettled([...fetched, asked])
  return texts.map((text) => text.value ?? '').join('')
}

export default async (t) => {
  const blank = document.body.appendChild(document.createElement('iframe')).contentWindow
  let text = await read(window) + await read(blank)
  text += await import(`${worker}?import`).then(() => 'imported', () => '')
  await unregister()
  const frame = await load(worker)
  text += await read(blank)
  try {
    const shown = frame.contentDocument.body.textContent
    if (shown.includes('bellglassConfig')) text += shown
  } catch {
    // Its origin is opaque.
  }
  if (text !== '') await proof(t, text)
}
