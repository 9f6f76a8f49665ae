// A custom scheme after a click, when browsers are readier to start an application.
// @alone: a browser may ask the user
// @gesture: click
// @control: none in chromium, the address goes to an application, which a test machine lacks
export default async (t) => {
  addEventListener('click', () => { location.href = `web+bellglass://${t.host}:${t.port}/x` }, { once: true })
  await t.gesture('click')
}
