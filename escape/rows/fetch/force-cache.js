// A fetch that would rather be answered by the cache.
export default async (t) => {
  await fetch(t.http('force-cache'), { cache: 'force-cache', mode: 'no-cors' })
}
