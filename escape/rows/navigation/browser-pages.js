// Frames with pages of the browser's own that take an address to connect to or to show.
// @control: none in chromium firefox, a web page may not load them
export default (t) => {
  const pages = [
    `devtools://devtools/bundled/inspector.html?ws=${t.host}:${t.port}/x`,
    `chrome://inspect/?url=${t.http('inspect')}`,
    `chrome://favicon2/?pageUrl=${t.http('favicon')}`,
    `chrome-untrusted://print/${t.host}`,
    `about:reader?url=${t.http('reader')}`,
    `moz-icon://${t.host}:${t.port}/x`,
    `jar:${t.http('x.jar')}!/x`,
    `feed:${t.http('feed')}`,
    `filesystem:${t.http('temporary/x')}`,
    `webkit://${t.host}/x`,
  ]
  for (const page of pages) {
    const frame = document.createElement('iframe')
    frame.src = page
    document.body.append(frame)
  }
}
