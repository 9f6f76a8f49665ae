// The view goes to a page of an allowed host, which has no policy of ours and tries from there.
// @leaves: the view goes to the allowed host
export default (t) => {
  const query = new URLSearchParams({ type: 'text/html', body: `<script>${t.everything()}</script>` })
  location.href = t.allowed(`answer?${query}`)
}
