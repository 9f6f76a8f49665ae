// A frame that is redirected.
export default async (t) => {
  await t.frame((frame) => { frame.src = t.redirect(t.http('frame.html')) })
}
