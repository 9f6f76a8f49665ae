// A fetch that prefers the cache.
export default async (t) => {
  await fetch(t.http('force-cache'), { cache: 'force-cache', mode: 'no-cors' })
}
