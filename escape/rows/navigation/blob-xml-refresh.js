// The view becomes a blob: document of XML that has a meta refresh.
// @leaves: the view goes to the canary by a blob: address
export default (t) => {
  const xml = `<html xmlns="http://www.w3.org/1999/xhtml"><head><meta http-equiv="refresh" content="0;url=${t.http('refresh')}"/></head></html>`
  location.href = URL.createObjectURL(new Blob([xml], { type: 'application/xhtml+xml' }))
}
