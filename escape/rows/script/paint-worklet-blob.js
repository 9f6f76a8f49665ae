// A paint worklet whose module is in a blob and imports another.
// @control: none in firefox webkit, they have no paint worklets
export default async (t) => {
  await CSS.paintWorklet.addModule(t.module(`import '${t.http('paint.js')}'`))
}
