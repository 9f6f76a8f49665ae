// Background sync, periodic sync, and a subscription to changes of cookies, which wake the worker later.
// @control: none, our worker listens to none of these events
export default async (t) => {
  const registration = await navigator.serviceWorker.ready
  const tries = [
    () => registration.sync.register(t.http('sync')),
    () => registration.periodicSync.register(t.http('periodic'), { minInterval: 1 }),
    () => registration.cookies.subscribe([{ name: 'x', url: '/' }]),
    () => cookieStore.set('x', 'y'),
  ]
  await Promise.allSettled(tries.map(async (attempt) => attempt()))
}
