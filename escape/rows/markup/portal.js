// A portal element, and a frame that is fenced.
// @control: none, no browser has portals, and a fenced frame takes no address
export default (t) => {
  for (const name of ['portal', 'fencedframe']) {
    const element = document.createElement(name)
    element.setAttribute('src', t.http(name))
    element.src = t.https(name)
    document.body.append(element)
    if (name === 'fencedframe') element.config = new FencedFrameConfig(t.https('config'))
  }
}
