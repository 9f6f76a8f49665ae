// Session exhaustion: a thousand requests, two hundred frames and fifty workers, and then a request that tired guards might miss.
// @alone: exhausts the browser
export default async (t) => {
  const requests = Array.from({ length: 1000 }, (_, i) => fetch(`/missing/${i}`))
  const frames = Array.from({ length: 200 }, () => document.body.appendChild(document.createElement('iframe')))
  const script = t.module('')
  const workers = Array.from({ length: 50 }, () => new Worker(script))
  await Promise.allSettled([fetch(t.http('during'), { mode: 'no-cors' }), frames[199].contentWindow.fetch(t.http('frame'), { mode: 'no-cors' })])
  await Promise.allSettled(requests)
  for (const worker of workers) worker.terminate()
  await fetch(t.http('after'), { mode: 'no-cors' })
}
