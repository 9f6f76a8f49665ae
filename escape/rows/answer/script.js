// A script of an allowed host that fetches.
export default async (t) => {
  const body = `fetch('${t.http('fetch')}', { mode: 'no-cors' }).catch(() => {}); new Image().src = '${t.http('img.png')}'`
  const script = document.createElement('script')
  const done = t.settled(script)
  script.src = t.allowed(`answer?${new URLSearchParams({ type: 'text/javascript', body })}`)
  document.head.append(script)
  await done
}
