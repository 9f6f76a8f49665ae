// A hundred navigations in one turn, each of which cancels the one before it.
// @leaves: the last of them goes to the canary
export default (t) => {
  for (let i = 0; i < 100; i++) location.href = t.http(`storm-${i}`)
}
