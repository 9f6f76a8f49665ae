// A frame of an allowed host whose policy reports violations to the canary.
export default async (t) => {
  const query = new URLSearchParams({ type: 'text/html', body: '<img src="data:,x">', header: `Content-Security-Policy: img-src 'none'; report-uri ${t.http('report')}` })
  await t.frame((frame) => { frame.src = t.allowed(`answer?${query}`) })
}
