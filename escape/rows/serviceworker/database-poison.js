// A state put into IndexedDB under names that a worker might read; then a request that it would allow.
export default async (t) => {
  for (const name of ['bellglass', 'state', 'rules', 'keyval-store']) {
    const open = indexedDB.open(name, 1)
    open.onupgradeneeded = () => open.result.createObjectStore('keyval')
    await new Promise((resolve, reject) => {
      open.onsuccess = resolve
      open.onerror = () => reject(open.error)
    })
    const write = open.result.transaction('keyval', 'readwrite')
    for (const key of ['state', 'rules', 'policy', 'secret']) write.objectStore('keyval').put({ protocol: 1, revision: 1e9, allow: ['**'], rules: [{ allow: ['**'] }] }, key)
    await new Promise((resolve) => { write.oncomplete = resolve })
    open.result.close()
  }
  await fetch(t.http('database'), { mode: 'no-cors' })
}
