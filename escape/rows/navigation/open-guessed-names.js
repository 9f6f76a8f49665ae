// open() with the names that the frames around the view might have.
// @alone: a pop-up, or the tab
// @control: none in firefox, no frame around the view has a name, and a pop-up needs a gesture
export default (t) => {
  for (const name of ['outer', 'inner', 'view', 'sandbox', 'main', 'top', 'bellglass', 'Sandbox']) open(t.http(name), name)
}
