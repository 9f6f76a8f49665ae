// A frame of an allowed host with a Refresh header.
export default async (t) => {
  const query = new URLSearchParams({ type: 'text/html', header: `Refresh: 0;url=${t.http('refresh')}` })
  await t.frame((frame) => { frame.src = t.allowed(`answer?${query}`) })
}
