// A module that is imported from an allowed host and redirected.
export default async (t) => {
  await import(t.redirect(t.http('module.js')))
}
