// A frame with an ftp: address, which browsers fetched themselves in the past.
// @control: none in chromium firefox, they have given ftp: up
export default (t) => {
  const frame = document.createElement('iframe')
  frame.src = `ftp://${t.host}:${t.port}/x`
  document.body.append(frame)
}
