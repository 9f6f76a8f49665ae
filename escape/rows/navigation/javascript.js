// A javascript: address, whose code runs in the page.
export default async (t) => {
  const refused = t.settled(new EventTarget())
  location.href = `javascript:void fetch('${t.http('javascript')}', { mode: 'no-cors' }).catch(() => {}).then(() => postMessage('${t.name}', '*'))`
  await Promise.race([refused, t.message(t.name)])
}
