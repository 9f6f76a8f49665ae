// Protocol handlers: one is registered at the canary, and frames go to its scheme and to those of other programs.
// @alone: goes to other programs
// @control: none, a handler is of the page's own origin and wants a top-level page
export default async (t) => {
  for (const scheme of ['web+escape', 'mailto', 'magnet']) {
    try {
      navigator.registerProtocolHandler(scheme, `${t.http('handler')}?%s`)
    } catch {
      // Another origin's address.
    }
  }
  for (const address of ['web+escape:x', 'magnet:?xs=', 'tel:1', 'ssh://', 'vscode://']) {
    const frame = document.createElement('iframe')
    frame.src = address.endsWith(':x') || address.startsWith('tel') ? address : address + t.http('scheme')
    document.body.append(frame)
  }
}
