// A fetch that the browser makes later, at the latest when its frame is gone.
// @control: none, the quota of a frame of another site is nothing, and only Chromium has fetchLater
export default async (t) => {
  const frame = await t.frame()
  try {
    fetchLater(t.https('page'), { activateAfter: 0 })
  } finally {
    frame.contentWindow.fetchLater(t.https('frame'), { method: 'POST', body: 'secret' })
    frame.remove()
  }
}
