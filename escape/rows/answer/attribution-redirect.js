// An answer that asks the browser to register for attribution at further addresses.
// @control: none, no browser takes registrations from this frame
export default async (t) => {
  const headers = [`Attribution-Reporting-Redirect: "${t.https('redirect')}"`, `Attribution-Reporting-Register-Source: {"source_event_id":"1","destination":"${t.https()}"}`]
  const img = document.createElement('img')
  const done = t.settled(img)
  img.setAttribute('attributionsrc', '')
  img.src = t.allowed(`answer?${new URLSearchParams([['type', 'image/png'], ...headers.map((header) => ['header', header])])}`)
  document.body.append(img)
  await done
}
