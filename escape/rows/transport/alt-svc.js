// The allowed host says that it has another address, the canary's, by Alt-Svc.
// @control: none, it counts only over HTTPS with a certificate of the first name
export default async (t) => {
  const header = `Alt-Svc: h3="${t.host}:${t.port}"; ma=60, h2="${t.host}:${t.port}"; ma=60`
  for (let i = 0; i < 3; i++) await fetch(t.allowed(`answer?${new URLSearchParams({ status: 200, type: 'text/plain', body: 'x', header })}`))
}
