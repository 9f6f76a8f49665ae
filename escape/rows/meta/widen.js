// Policies in meta elements that allow everything, and then a request.
// @alone: the policies would hold for the whole page
export default async (t) => {
  const headers = { 'Content-Security-Policy': "default-src * data: blob: 'unsafe-inline' 'unsafe-eval'", 'Connection-Allowlist': '("*://*:*" response-origin);redirects=allow;webrtc=allow',
    'Permissions-Policy': '*', 'X-DNS-Prefetch-Control': 'on' }
  for (const [name, content] of Object.entries(headers)) document.head.prepend(Object.assign(document.createElement('meta'), { httpEquiv: name, content }))
  await fetch(t.http('widened'), { mode: 'no-cors' })
}
