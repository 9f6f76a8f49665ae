// An image that an allowed host replaces again and again, each time with a Link header and another type.
// @control: none, the parts of an image have no headers of their own
export default async (t) => {
  const part = (type, body) => `--x\r\nContent-Type: ${type}\r\nLink: <${t.http('preload.js')}>; rel=preload; as=script\r\nRefresh: 0;url=${t.http('refresh')}\r\n\r\n${body}\r\n`
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
  const body = `${part('image/svg+xml', svg)}${part('text/html', `<img src="${t.http('part.png')}">`)}--x--`
  const img = new Image()
  const done = t.settled(img)
  img.src = t.allowed(`answer?${new URLSearchParams({ type: 'multipart/x-mixed-replace; boundary=x', body })}`)
  await done
}
