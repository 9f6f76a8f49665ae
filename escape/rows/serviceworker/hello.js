// What the worker says of itself is sent out.
export default async (t) => {
  const hello = await fetch('/.bellglass/hello')
  await fetch(t.http(`hello?${encodeURIComponent(await hello.text())}`), { mode: 'no-cors' })
}
