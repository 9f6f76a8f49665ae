// A POST that keeps its body as it is redirected.
export default async (t) => {
  const query = new URLSearchParams({ status: 307, header: `Location: ${t.http('post')}` })
  await fetch(t.allowed(`answer?${query}`), { method: 'POST', body: 'secret' })
}
