// The path of a URL as the path of a virtual file.

// decodePath undoes percent-encoding. It rejects ambiguous paths and never repairs them. An
// encoded slash would give one file two URLs, an encoded dot segment would climb, and an empty
// segment can be read as another host's address. A parsed URL has no dot segments, but a
// parser can be wrong: Node 20 leaves the last one of "0/.0/.".
export function decodePath(pathname: string): string | undefined {
  const lower = pathname.toLowerCase()
  if (lower.includes('%2f') || lower.includes('%5c') || lower.includes('\\')) return undefined
  let path: string
  try {
    path = decodeURIComponent(pathname)
  } catch {
    return undefined
  }
  if (path.includes('//') || path.split('/').some((segment) => segment === '.' || segment === '..')) return undefined
  for (let i = 0; i < path.length; i++) if (path.charCodeAt(i) < 0x20 || path.charCodeAt(i) === 0x7f) return undefined
  return path
}
