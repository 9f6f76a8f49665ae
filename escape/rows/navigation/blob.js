// The view becomes a blob: document.
// @leaves: the view goes to a blob: address
export default (t) => {
  location.href = URL.createObjectURL(new Blob([`<script>${t.everything()}</script>`], { type: 'text/html' }))
}
