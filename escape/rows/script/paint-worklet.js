// The module of a paint worklet.
// @control: none in firefox webkit, they have no paint worklets
export default async (t) => {
  await CSS.paintWorklet.addModule(t.http('paint.js'))
}
