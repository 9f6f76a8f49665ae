// A module in a data: address that imports another.
export default async (t) => {
  await import(`data:text/javascript,${encodeURIComponent(`import '${t.http('data.js')}'`)}`)
}
