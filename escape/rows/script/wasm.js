// WebAssembly that is compiled as it arrives.
export default async (t) => {
  await WebAssembly.compileStreaming(fetch(t.http('module.wasm')))
}
