// The windows around this one.

// outermost returns the outermost window of this origin from which all windows down to this one
// have this origin, too. It can be this window. Its parent is the outer frame, unless it is the
// window of a tab.
export function outermost(): Window {
  let found: Window = window
  for (let level = 0; found.parent !== found && isOurs(found.parent, level); level++) found = found.parent
  return found
}

// isOurs reports whether the ancestor at the level has this origin. Level 0 is the parent.
//
// The browser says so if it can. The first time that a document is refused access to a window of
// another origin, Chromium 156 takes 4 ms to do so. Firefox says "null" to a document in a frame with
// referrerpolicy="no-referrer", and an older browser may say nothing. Then the access decides.
function isOurs(ancestor: Window, level: number): boolean {
  const { ancestorOrigins } = location as Partial<Location>
  const told = ancestorOrigins?.[level] ?? 'null'
  if (told !== 'null') return told === origin
  try {
    return ancestor.location.origin === origin
  } catch {
    return false
  }
}
