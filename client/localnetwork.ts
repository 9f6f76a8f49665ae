// A page of a site that embeds a server on the visitor's own machine needs their
// permission (Local Network Access, Chromium 142 and later). Without it the frame fails
// to load like any other. The state of the permission says why.

// isBlockedHere reports whether the browser keeps this page from the host of an
// address.
export async function isBlockedHere(address: string): Promise<boolean> {
  if (!isLoopback(new URL(address).hostname) || isLoopback(location.hostname)) return false
  try {
    // TypeScript's list of names lacks this one.
    const { state } = await navigator.permissions.query({ name: 'loopback-network' as PermissionName })
    return state !== 'granted'
  } catch {
    return false // a browser without that permission
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
