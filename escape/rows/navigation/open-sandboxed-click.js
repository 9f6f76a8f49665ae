// A pop-up after a click in a sandboxed frame that may open pop-ups without a sandbox.
// @alone: a pop-up
// @gesture: click
export default async (t) => {
  const felt = t.message('felt')
  await t.frame((frame) => {
    frame.sandbox = 'allow-scripts allow-popups allow-popups-to-escape-sandbox'
    frame.style = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0'
    frame.srcdoc = `<script>onclick = () => { open('${t.http('open')}'); parent.postMessage('felt', '*') }</script>`
  })
  t.gesture()
  await felt
}
