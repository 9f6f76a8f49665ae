// A nested frame that navigates the view.
// @leaves: the view goes to the canary
export default async (t) => {
  await t.frame((frame) => { frame.srcdoc = `<script>parent.location = '${t.http('parent')}'</script>` })
}
