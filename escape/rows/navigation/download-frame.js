// A frame whose answer is a download.
export default async (t) => {
  const frame = document.createElement('iframe')
  // A frame that becomes a download never loads, so only a refusal can be waited for.
  frame.src = t.http(`answer?${new URLSearchParams({ type: 'application/octet-stream', header: 'Content-Disposition: attachment' })}`)
  document.body.append(frame)
}
