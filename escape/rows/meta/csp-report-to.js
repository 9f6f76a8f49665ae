// A policy and the endpoints of its reports, all in meta elements.
// @alone: the policy holds for the whole page
// @control: none, a meta element cannot name endpoints
export default async (t) => {
  const group = JSON.stringify({ group: 'secret', max_age: 1000, endpoints: [{ url: t.https('report-to') }] })
  const headers = { 'Reporting-Endpoints': `secret="${t.https('endpoint')}"`, 'Report-To': group, NEL: '{"report_to":"secret","max_age":1000,"success_fraction":1}',
    'Content-Security-Policy': "img-src 'none'; report-to secret", 'Content-Security-Policy-Report-Only': "default-src 'none'; report-to secret" }
  for (const [name, content] of Object.entries(headers)) document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: name, content }))
  const img = new Image()
  const done = t.settled(img)
  img.src = 'data:image/gif,x'
  await done
}
