// A module script.
export default async (t) => {
  const script = document.createElement('script')
  const done = t.settled(script)
  script.type = 'module'
  script.src = t.http('module.js')
  document.head.append(script)
  await done
}
