// A module script in a document whose static imports and re-exports are elsewhere.
export default async (t) => {
  await t.frame((frame) => {
    frame.srcdoc = `<script type="module">import '${t.http('import.js')}'; export * from '${t.http('export.js')}'</script>`
  })
}
