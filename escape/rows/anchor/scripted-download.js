// The scripted click of a link to a download.
// @leaves: where it is refused, the view may show an error page
export default (t) => {
  const link = document.createElement('a')
  link.href = t.http('download')
  link.download = `${t.name}.txt`
  document.body.append(link)
  link.click()
}
