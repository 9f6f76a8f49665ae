// A frame of an allowed host whose script tries everything.
export default async (t) => {
  const query = new URLSearchParams({ type: 'text/html', body: `<script>${t.everything()}</script>` })
  await t.frame((frame) => { frame.src = t.allowed(`answer?${query}`) })
}
