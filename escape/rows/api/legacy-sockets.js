// The sockets, relays, and extension functions of old browsers and of browsers' own pages.
// @control: none, no web page has any of it
export default (t) => {
  navigator.mozTCPSocket?.open(t.host, t.port)
  globalThis.chrome?.runtime?.sendMessage?.('nmmhkkegccagdldgiimedpiccmgmieda', t.http('extension'), () => {})
  globalThis.chrome?.webstore?.install?.(t.http('webstore'))
  globalThis.InstallTrigger?.install?.({ x: t.http('x.xpi') })
  globalThis.external?.AddSearchProvider?.(t.http('search.xml'))
  if (globalThis.ActiveXObject) new ActiveXObject('MSXML2.XMLHTTP').open('GET', t.http('activex'), false)
}
