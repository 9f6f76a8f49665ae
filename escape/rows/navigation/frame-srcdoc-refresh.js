// A srcdoc frame with a meta refresh.
export default async (t) => {
  const frame = await t.frame((frame) => {
    frame.srcdoc = `<meta http-equiv="refresh" content="0;url=${t.http('refresh')}">`
  })
  await t.settled(frame)
}
