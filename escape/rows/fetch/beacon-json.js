// A beacon whose type needs a preflight.
export default (t) => {
  navigator.sendBeacon(t.http('beacon'), new Blob(['{"secret":1}'], { type: 'application/json' }))
}
