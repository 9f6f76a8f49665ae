// A meta refresh by document.write(), which makes a new document of the page.
// @leaves: the view goes to the canary
export default (t) => {
  document.write(`<meta http-equiv="refresh" content="0;url=${t.http('refresh')}">`)
  document.close()
}
