// A fenced frame, with the canary's address and with a configuration.
// @control: none, a fenced frame takes only what Protected Audience has made for it
export default (t) => {
  const fenced = document.createElement('fencedframe')
  fenced.src = t.http('fenced')
  document.body.append(fenced)
  fenced.config = new FencedFrameConfig(t.http('config'))
}
