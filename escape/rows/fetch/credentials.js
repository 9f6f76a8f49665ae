// A fetch with credentials, from which cookies and HTTP authentication follow.
export default async (t) => {
  await fetch(t.http('credentials'), { credentials: 'include', mode: 'no-cors' })
}
