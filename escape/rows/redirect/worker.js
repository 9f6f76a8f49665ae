// A worker of an allowed host's address that is redirected.
// @control: none, a worker must be of the page's own origin
export default async (t) => {
  await t.settled(new Worker(t.redirect(t.http('worker.js'))))
}
