// Response headers of all sorts that could make a browser ask for something, as meta elements.
// @alone: they would hold for the whole page
// @control: none, browsers take none of them from a meta element
export default (t) => {
  const headers = {
    Link: `<${t.http('link.css')}>; rel=stylesheet, <${t.http()}>; rel=preconnect, <${t.http('preload.js')}>; rel=preload; as=script`,
    Location: t.http('location'), SourceMap: t.http('source.map'), 'Speculation-Rules': `"${t.http('rules.json')}"`,
    'Alt-Svc': `h3="${t.host}:${t.port}"`, 'Set-Cookie': 'secret=1; Domain=localhost', 'PICS-Label': t.http('pics'), 'Origin-Trial': btoa(t.host),
    'Page-Enter': t.http('enter'), 'Window-Target': '_top', 'Default-Style': t.http('default.css'),
  }
  for (const [name, content] of Object.entries(headers)) document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: name, content }))
}
