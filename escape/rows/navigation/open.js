// A pop-up that no gesture asked for.
// @alone: a pop-up
// @control: none in firefox, a pop-up needs a gesture
export default (t) => {
  open(t.http('open'))
}
