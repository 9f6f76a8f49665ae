// A fetch that an allowed host redirects to another scheme as well.
export default async (t) => {
  await fetch(t.redirect(t.https('fetch')), { mode: 'no-cors' })
}
