// A nested frame with the name of a keyword, and a link that has it as its target.
// @alone: a pop-up
// @control: none in firefox, the keyword wins, and a pop-up needs a gesture
export default async (t) => {
  await t.frame((frame) => { frame.name = '_blank' })
  open(t.http('name'), '_blank')
}
