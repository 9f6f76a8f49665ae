// An embed element.
export default async (t) => {
  const embed = document.createElement('embed')
  const done = t.settled(embed)
  embed.type = 'image/svg+xml'
  embed.src = t.http('embed.svg')
  document.body.append(embed)
  await done
}
