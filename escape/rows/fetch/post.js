// A POST that needs a preflight: the preflight alone says enough.
export default async (t) => {
  await fetch(t.http('post'), { method: 'POST', headers: { 'content-type': 'application/json', 'x-secret': '1' }, body: '{"secret":1}' })
}
