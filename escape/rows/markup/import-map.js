// An import map, after which a bare name means the canary.
export default async (t) => {
  const map = JSON.stringify({ imports: { elsewhere: t.http('mapped.js') } })
  await t.frame((frame) => { frame.srcdoc = `<script type="importmap">${map}</script><script type="module">import 'elsewhere'</script>` })
}
