// A pop-up after a click that navigates its opener, the view.
// @leaves: the view goes to the canary
// @gesture: click
export default async (t) => {
  addEventListener('click', () => {
    open('about:blank').document.write(`<script>opener.location = '${t.http('opener')}'</script>`)
  }, { once: true })
  await t.gesture('click')
}
