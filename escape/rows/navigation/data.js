// The view becomes a data: document, whose origin is opaque.
// @leaves: the view goes to a data: address
export default (t) => {
  location.href = `data:text/html,${encodeURIComponent(`<script>${t.everything()}</script>`)}`
}
