// A presentation of an address on another screen, asked for and started after a click.
// @gesture: click
// @control: none, there is no other screen
export default async (t) => {
  await t.gesture()
  const request = new PresentationRequest([t.https('presentation'), `cast:SECRET?clientId=${t.name}`])
  await Promise.any([request.getAvailability(), request.start(), request.reconnect('secret')])
}
