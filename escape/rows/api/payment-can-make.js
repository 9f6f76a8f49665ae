// Asking whether a payment method with an address can pay.
// @control: none, a frame of another site needs the embedder's permission
export default async (t) => {
  const request = new PaymentRequest([{ supportedMethods: t.https('pay') }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } })
  await Promise.allSettled([request.canMakePayment(), request.hasEnrolledInstrument?.()])
}
