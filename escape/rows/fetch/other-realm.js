// The fetch of a blank frame, called with this page's window and with its own.
export default async (t) => {
  const frame = await t.frame()
  const other = frame.contentWindow
  await Promise.allSettled([
    other.fetch(t.http('own'), { mode: 'no-cors' }),
    other.fetch.call(window, t.http('this'), { mode: 'no-cors' }),
    fetch.call(other, new other.Request(t.http('that'), { mode: 'no-cors' })),
  ])
}
