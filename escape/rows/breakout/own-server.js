// The sandbox's own server as a relay: addresses of the canary in paths, queries and headers of requests to it; then a request.
// @control: none, the server asks nobody
export default async (t) => {
  const blank = document.body.appendChild(document.createElement('iframe')).contentWindow
  const url = t.http('relay')
  const paths = [`/__proxy/${url}`, `/proxy?url=${url}`, `//${t.host}:${t.port}/x`, `/${url}`, `/?url=${encodeURIComponent(url)}`, `/.bellglass/blob/${encodeURIComponent(url)}`]
  const headers = { 'X-Forwarded-For': t.host, 'X-Original-URL': url, 'X-Rewrite-URL': url, 'X-Http-Method-Override': 'CONNECT', Destination: url }
  for (const realm of [window, blank]) {
    await Promise.allSettled(paths.map((path) => realm.fetch(location.origin + path, { headers })))
    await realm.fetch('/', { method: 'POST', headers, body: url }).catch(() => {})
  }
}
