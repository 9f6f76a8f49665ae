// A private state token of the canary's: asked for, redeemed and sent.
export default async (t) => {
  const operations = ['token-request', 'token-redemption', 'send-redemption-record']
  await Promise.any(operations.map((operation) =>
    fetch(t.https(operation), { privateToken: { version: 1, operation, issuers: [new URL(t.https()).origin], refreshPolicy: 'refresh' } })))
}
