// A redirect that the page would follow by hand, if it could read where it goes.
// @control: none, the standard hides where a redirect goes
export default async (t) => {
  const answer = await fetch(t.redirect(t.http('manual')), { redirect: 'manual' })
  const to = answer.headers.get('location')
  if (to) await fetch(to, { mode: 'no-cors' })
}
