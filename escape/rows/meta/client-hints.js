// Client hints that are delegated to the canary, and an image that would carry them.
// @alone: the delegation holds for the whole page
export default async (t) => {
  const hints = `sec-ch-ua-model ${new URL(t.http()).origin}; sec-ch-viewport-width ${new URL(t.https()).origin}`
  for (const [name, content] of Object.entries({ 'Delegate-CH': hints, 'Accept-CH': 'sec-ch-ua-model, sec-ch-viewport-width' })) {
    document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: name, content }))
  }
  const img = new Image()
  const done = t.settled(img)
  img.src = t.http('hints.png')
  await done
}
