// A lock as a signal: an empty frame fetches when the page lets it go.
export default async (t) => {
  const blank = document.body.appendChild(document.createElement('iframe')).contentWindow
  let fetched
  await navigator.locks.request(t.name, () => {
    fetched = blank.navigator.locks.request(t.name, () => blank.fetch(t.http('lock'), { mode: 'no-cors' }))
  })
  await fetched
}
