// A WebAssembly module that imports a module from elsewhere by its import section.
// @control: none in chromium webkit, they take no WebAssembly as modules
export default async (t) => {
  const name = new TextEncoder().encode(t.http('imported.js'))
  const section = [1, name.length, ...name, 1, 120, 0, 0] // one import, "x", a function of type 0
  const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, section.length, ...section]
  await import(URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: 'application/wasm' })))
}
