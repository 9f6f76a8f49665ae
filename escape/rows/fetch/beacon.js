// A beacon.
export default (t) => {
  navigator.sendBeacon(t.http('beacon'), 'secret')
}
