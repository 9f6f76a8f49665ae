// Two redirects of an allowed host, one after the other.
export default async (t) => {
  await fetch(t.redirect(t.redirect(t.http('chain'))))
}
