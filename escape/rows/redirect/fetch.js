// A fetch that an allowed host redirects to the canary.
export default async (t) => {
  await fetch(t.redirect(t.http('fetch')))
}
