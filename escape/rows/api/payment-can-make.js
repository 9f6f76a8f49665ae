// The question whether a payment by a method with an address could be made.
// @control: none, a frame of another site needs the embedder's leave
export default async (t) => {
  const request = new PaymentRequest([{ supportedMethods: t.https('pay') }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } })
  await Promise.allSettled([request.canMakePayment(), request.hasEnrolledInstrument?.()])
}
