// A name of the canary's that the browser may come to take for the sandbox's own: forged Host, Origin and forwarding headers.
export default async (t) => {
  const headers = { Host: location.host, Origin: location.origin, 'X-Forwarded-Host': location.host, Forwarded: `host=${location.host}`, 'Bellglass-Secret': 'x' }
  await fetch(t.http('rebinding').replace(t.host, `${location.hostname}.${t.host}`), { headers, mode: 'cors', method: 'POST', body: 'x' })
}
