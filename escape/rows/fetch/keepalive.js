// A fetch that may outlive the page.
export default async (t) => {
  await fetch(t.http('keepalive'), { method: 'POST', body: 'secret', keepalive: true, mode: 'no-cors' })
}
