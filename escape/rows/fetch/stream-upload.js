// A body that is a stream. Browsers send it over HTTP/2 only, but ask by a
// preflight first; those without upload streams post it as a string.
export default async (t) => {
  const body = new Blob(['secret']).stream()
  await fetch(t.http('stream'), { method: 'POST', body, duplex: 'half' })
}
