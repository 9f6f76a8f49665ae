// Data-URL navigation: the view goes to a data: document, which fetches.
// @leaves: the view goes to a data: document
export default (t) => {
  location.href = `data:text/html,${encodeURIComponent(`<script>${t.everything()}</script>`)}`
}
