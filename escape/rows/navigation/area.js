// The scripted click of an area of an image map.
// @leaves: the view goes to the canary
export default (t) => {
  const area = document.createElement('area')
  area.href = t.http('area')
  document.body.append(area)
  area.click()
}
