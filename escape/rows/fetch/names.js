// Names below the canary's that are made of data: their lookups are enough.
export default async (t) => {
  const secrets = Array.from('secret', (letter, i) => `${i}-${letter.charCodeAt().toString(16)}`)
  await Promise.allSettled(secrets.map((label) => fetch(`http://${label}.${t.host}:${t.port}/`, { mode: 'no-cors' })))
}
