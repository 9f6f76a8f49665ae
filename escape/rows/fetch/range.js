// A request for a range of bytes, which is a header that needs no preflight.
export default async (t) => {
  await fetch(t.http('range'), { headers: { range: 'bytes=115-101' }, mode: 'no-cors' })
}
