// A file: address that names a host, which Windows asks for its shared folders.
// @leaves: the view would show a file
// @control: none, a web page may not navigate to file:, and only Windows asks the host
export default (t) => {
  location.href = `file://${t.host}/share/x`
}
