// The manifest of a payment method.
// @control: none, only a payment handler asks for it
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'payment-method-manifest'
  link.href = t.https('payment.json')
  document.head.append(link)
}
