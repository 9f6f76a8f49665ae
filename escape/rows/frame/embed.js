// An embed element that is given an HTML page of the canary.
export default (t) => {
  const embed = document.createElement('embed')
  embed.type = 'text/html'
  embed.src = t.http('embed.html')
  document.body.append(embed)
}
