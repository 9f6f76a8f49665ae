// A hundred empty frames, each of whose realms fetches once.
export default async (t) => {
  const frames = Array.from({ length: 100 }, () => document.createElement('iframe'))
  document.body.append(...frames)
  await Promise.allSettled(frames.map((frame, i) => frame.contentWindow.fetch(t.http(`many-${i}`), { mode: 'no-cors' })))
}
