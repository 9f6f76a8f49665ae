// Hundreds of requests at once, so that one may slip through a race.
export default async (t) => {
  const tries = Array.from({ length: 300 }, (_, i) => fetch(t.http(`storm-${i}`), { mode: 'no-cors', keepalive: i % 2 === 0 }))
  await Promise.allSettled(tries)
}
