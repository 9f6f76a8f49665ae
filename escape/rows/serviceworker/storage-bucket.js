// The cache of a storage bucket.
// @control: none in firefox webkit, only Chromium has buckets
export default async (t) => {
  const bucket = await navigator.storageBuckets.open('bucket')
  const cache = await bucket.caches.open(t.name)
  await cache.add(t.http('bucket'))
}
