// A state, rules and commands of our own making, posted to each worker there is; then a request that they would allow.
export default async (t) => {
  const policy = { policy: 'none', protocol: 1, revision: 1e9, headers: {}, program: '', files: [], fallback: '' }
  const rules = { allow: ['*'], rules: [{ id: 'all', allow: ['**'] }] }
  const messages = [policy, rules]
  for (const kind of ['state', 'rules', 'UPDATE_RULES', 'SET_NETWORK_RULES', 'config', 'reload', 'SKIP_WAITING', 'skipWaiting', 'claim', 'unregister', 'disable', 'MOCK_DEACTIVATE']) {
    messages.push(kind, { type: kind, kind, protocol: 1, rules, state: policy, ...policy })
  }
  for (const registration of await navigator.serviceWorker.getRegistrations()) {
    for (const worker of [registration.active, registration.waiting, registration.installing]) {
      for (const message of messages) worker?.postMessage(message)
    }
  }
  await fetch(t.http('told'), { mode: 'no-cors' })
}
