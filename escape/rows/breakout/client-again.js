// Our client script, fetched and run again with another address for its reports; then a request.
// @alone: two of it report
export default async (t) => {
  const source = await (await fetch('/.bellglass/client.js')).text()
  for (const outer of ['*', location.origin, t.http()]) {
    try {
      new Function('bellglassConfig', source)({ outer })
    } catch {
      // It does not start with this one.
    }
  }
  await fetch(t.http(`client?${source.length}`), { mode: 'no-cors' })
}
