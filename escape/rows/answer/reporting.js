// Headers of every kind of resource that name where reports go.
// @control: none, browsers take them over TLS only
export default async (t) => {
  const group = JSON.stringify({ group: 'default', max_age: 1000, include_subdomains: true, endpoints: [{ url: t.https('report-to') }] })
  const headers = [`Reporting-Endpoints: default="${t.https('endpoint')}"`, `Report-To: ${group}`, 'NEL: {"report_to":"default","max_age":1000,"success_fraction":1,"failure_fraction":1}',
    `Expect-CT: max-age=1000, enforce, report-uri="${t.https('ct')}"`, `Public-Key-Pins-Report-Only: max-age=1; report-uri="${t.https('pins')}"`]
  const query = new URLSearchParams([['type', 'text/plain'], ...headers.map((header) => ['header', header])])
  const img = new Image()
  const done = t.settled(img)
  img.src = t.allowed(`answer?${query}`)
  await Promise.all([done, fetch(t.allowed(`answer?${query}`))])
}
