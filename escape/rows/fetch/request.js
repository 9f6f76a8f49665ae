// A Request that is made with odd options, copied, and then fetched.
export default async (t) => {
  const request = new Request(t.http('request'), { cache: 'reload', priority: 'low', referrer: '', referrerPolicy: 'unsafe-url', redirect: 'follow' })
  await fetch(new Request(request.clone(), { mode: 'no-cors' }))
}
