// A module in a blob that imports another.
export default async (t) => {
  await import(t.module(`import '${t.http('blob.js')}'`))
}
