// Cache.add and Cache.addAll of the canary, from the page and from an empty frame.
export default async (t) => {
  const blank = document.body.appendChild(document.createElement('iframe')).contentWindow
  const add = async (realm, path) => {
    const cache = await realm.caches.open(t.name)
    await Promise.allSettled([cache.add(t.http(path)), cache.addAll([new realm.Request(t.http(`${path}-all`), { mode: 'no-cors' })])])
  }
  await Promise.allSettled([add(window, 'page'), add(blank, 'blank')])
}
