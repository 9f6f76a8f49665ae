// An XMLHttpRequest whose upload is observed, which needs a preflight, with a
// name and a password in its address.
export default async (t) => {
  const request = new XMLHttpRequest()
  const done = t.settled(request)
  request.upload.onprogress = () => {}
  request.open('POST', t.http('xhr'), true, 'secret', 'word')
  request.withCredentials = true
  request.send(new FormData())
  await done
}
