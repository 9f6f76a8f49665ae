// Many links in view, whose names a browser may look up before anyone touches them.
// @control: none in chromium, it looks up only the links that are hovered
export default (t) => {
  for (let i = 0; i < 30; i++) {
    const link = document.createElement('a')
    link.href = `http://n${i}.${t.host}:${t.port}/many`
    link.textContent = 'Link '
    document.body.append(link)
  }
}
