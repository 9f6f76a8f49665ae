// Imports that are deferred, or of the source alone.
// @control: none, these imports are errors of syntax today
export default async (t) => {
  const phases = [`import defer * as x from '${t.http('defer.js')}'`, `import source x from '${t.http('source.wasm')}'`]
  const done = await Promise.allSettled(phases.map((source) => import(t.module(source))))
  if (done.every(({ reason }) => reason instanceof SyntaxError)) throw new Error('no import phases')
}
