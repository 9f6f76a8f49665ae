// A payment by a method whose identifier is an address, shown after a click: the
// browser fetches the method's manifest.
// @gesture: click
// @control: none, a frame of another site needs the embedder's permission
export default async (t) => {
  await t.gesture()
  await new PaymentRequest([{ supportedMethods: t.https('pay') }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).show()
}
