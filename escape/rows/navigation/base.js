// A relative address, made to mean the canary by a base element.
// @leaves: the view goes to the canary
export default (t) => {
  const base = document.createElement('base')
  base.href = t.http()
  document.head.append(base)
  location.href = 'base'
}
