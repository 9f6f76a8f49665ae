// A classic script.
export default async (t) => {
  const script = document.createElement('script')
  const done = t.settled(script)
  script.src = t.http('script.js')
  document.head.append(script)
  await done
}
