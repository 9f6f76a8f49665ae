// A nested frame that navigates the view when it is unloaded.
// @leaves: the view goes to the canary
export default async (t) => {
  const frame = await t.frame((frame) => { frame.srcdoc = `<script>onunload = onpagehide = () => { parent.location = '${t.http('unload')}' }</script>` })
  frame.remove()
}
