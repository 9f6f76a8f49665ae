// A nested frame whose sandbox lets it navigate the tab.
// @leaves: the tab would go to the canary
// @control: none in chromium, a cross-origin frame needs a gesture to navigate the tab
export default async (t) => {
  await t.frame((frame) => {
    frame.sandbox = 'allow-scripts allow-top-navigation'
    frame.srcdoc = `<script>top.location = '${t.http('top')}'</script>`
  })
}
