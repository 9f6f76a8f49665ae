// navigate() of the Navigation API.
// @leaves: the view goes to the canary
// @control: none in webkit, it has no Navigation API
export default (t) => {
  if (!globalThis.navigation) throw new Error('no Navigation API')
  navigation.navigate(t.http('navigate'))
}
