// A frame that allows itself every feature, and a fetchLater that is due when it goes.
// @control: none, the view has no quota for fetchLater that it could pass on
export default async (t) => {
  const frame = document.createElement('iframe')
  frame.allow = 'deferred-fetch *; deferred-fetch-minimal *; local-network-access *; loopback-network *'
  document.body.append(frame)
  try {
    frame.contentWindow.fetchLater(t.http('later'), { activateAfter: 0 })
  } finally {
    frame.remove()
  }
}
