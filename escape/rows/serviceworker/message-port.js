// The service worker as a relay: messages sent to it over MessagePorts and by a BroadcastChannel, in the hope that it fetches.
// @control: none, our worker listens to no message
export default async (t) => {
  const { port1, port2 } = new MessageChannel()
  const message = { kind: 'fetch', type: 'fetch', protocol: 1, url: t.http('relay'), port: port2 }
  navigator.serviceWorker.controller.postMessage(message, [port2])
  port1.postMessage(message.url)
  for (const name of ['bellglass', 'sw', 'workbox', 'message']) new BroadcastChannel(name).postMessage(message.url)
  await fetch('/batch.js')
}
