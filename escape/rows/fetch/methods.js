// Methods beside GET and POST, invented ones too.
export default async (t) => {
  const methods = ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'SECRET']
  await Promise.allSettled(methods.map((method) => fetch(t.http(method), { method })))
}
