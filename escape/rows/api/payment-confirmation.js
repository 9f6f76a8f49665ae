// A payment that is confirmed by a passkey, with the icon of a card from elsewhere.
// @gesture: click
// @control: none, a frame of another site needs the embedder's permission
export default async (t) => {
  await t.gesture()
  const data = {
    credentialIds: [new Uint8Array(8)], challenge: new Uint8Array(16), rpId: t.host, payeeOrigin: t.https(),
    instrument: { displayName: 'secret', icon: t.https('card.png'), iconMustBeShown: false },
  }
  await new PaymentRequest([{ supportedMethods: 'secure-payment-confirmation', data }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).show()
}
