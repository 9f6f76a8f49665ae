// A module that is imported as the page runs.
export default async (t) => {
  await import(t.http('module.js'))
}
