// Every code of a redirect, and a location that is relative to no scheme.
export default async (t) => {
  const to = (status) => `answer?${new URLSearchParams({ status, header: `Location: //${t.host}:${t.port}/${status}` })}`
  await Promise.allSettled([300, 301, 303, 305, 307, 308].map((status) => fetch(t.allowed(to(status)), { mode: 'no-cors' })))
}
