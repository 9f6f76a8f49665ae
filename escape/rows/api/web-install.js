// A web application that the page asks the browser to install, after a click.
// @gesture: click
// @control: none, no browser lets this frame install
export default async (t) => {
  await t.gesture()
  await navigator.install(t.https('app.html'), t.https('id'))
}
