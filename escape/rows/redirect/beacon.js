// A beacon that is redirected.
export default (t) => {
  navigator.sendBeacon(t.redirect(t.http('beacon')), 'secret')
}
