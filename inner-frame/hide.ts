// Removing the globals that isolated code was not granted. Code can still find some of
// them in a nested frame, where the browser's policies refuse the same. This only makes
// an absent capability an absent API.
export function hide(names: readonly string[]): void {
  // A document has them as own properties, a worker inherits some from its prototypes.
  for (let holder: object | null = globalThis; holder !== null; holder = Reflect.getPrototypeOf(holder)) {
    for (const name of names) Reflect.deleteProperty(holder, name)
  }
  if (names.includes('fetch') && 'Navigator' in globalThis) Reflect.deleteProperty(Navigator.prototype, 'sendBeacon')
}
