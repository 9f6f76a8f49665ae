// A worker that has nothing itself, and asks an empty frame to fetch over a BroadcastChannel.
export default async (t) => {
  const blank = document.body.appendChild(document.createElement('iframe')).contentWindow
  const fetched = new Promise((resolve) => {
    new blank.BroadcastChannel(t.name).onmessage = ({ data }) => blank.fetch(data, { mode: 'no-cors' }).then(resolve, resolve)
  })
  new Worker(t.module(`new BroadcastChannel('${t.name}').postMessage('${t.http('broadcast')}')`))
  await fetched
}
