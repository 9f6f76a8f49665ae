// Monkey-patch bypass: native functions from a fresh realm are called on the page's own objects.
export default async (t) => {
  const blank = document.body.appendChild(document.createElement('iframe')).contentWindow
  const request = new XMLHttpRequest()
  const done = new Promise((resolve) => { request.onloadend = resolve })
  blank.XMLHttpRequest.prototype.open.call(request, 'GET', t.http('xhr'))
  blank.XMLHttpRequest.prototype.send.call(request)
  const image = new Image()
  const loaded = t.settled(image)
  Object.getOwnPropertyDescriptor(blank.HTMLImageElement.prototype, 'src').set.call(image, t.http('image'))
  blank.Navigator.prototype.sendBeacon.call(navigator, t.http('beacon'), 'x')
  await Promise.allSettled([blank.fetch.call(window, t.http('fetch'), { mode: 'no-cors' }), done, loaded])
}
