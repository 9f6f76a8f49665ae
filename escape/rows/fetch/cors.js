// An ordinary fetch of another origin, with the data in its query.
export default async (t) => {
  await fetch(t.http('cors?secret=1'))
}
