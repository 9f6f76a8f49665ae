// An XMLHttpRequest.
export default async (t) => {
  const request = new XMLHttpRequest()
  const done = t.settled(request)
  request.open('GET', t.http('xhr'))
  request.send()
  await done
}
