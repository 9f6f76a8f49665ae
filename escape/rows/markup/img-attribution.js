// An image without an address that registers for attribution in the background.
// @control: none, no browser takes registrations from this frame
export default (t) => {
  const img = document.createElement('img')
  img.setAttribute('attributionsrc', `${t.http('source')} ${t.https('source')}`)
  document.body.append(img)
}
