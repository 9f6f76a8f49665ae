// A fetch that carries the browsing topics of the user.
export default async (t) => {
  await fetch(t.http('topics'), { browsingTopics: true })
}
