// The Link header of an image and of a script, which no worker can take away.
export default async (t) => {
  const links = [`<${t.http('preload.css')}>; rel=preload; as=style`, `<${t.http('module.js')}>; rel=modulepreload`, `<${t.http('dictionary')}>; rel=compression-dictionary`, `<${t.http()}>; rel=preconnect`]
  const resource = (type) => t.allowed(`answer?${new URLSearchParams({ type, header: `Link: ${links.join(', ')}` })}`)
  const img = new Image()
  const script = document.createElement('script')
  const done = [t.settled(img), t.settled(script)]
  img.src = resource('image/svg+xml')
  script.src = resource('text/javascript')
  document.head.append(script)
  await Promise.all(done)
}
