// A submit button that is an image.
export default async (t) => {
  const input = document.createElement('input')
  const done = t.settled(input)
  input.type = 'image'
  input.src = t.http('input.png')
  document.body.append(input)
  await done
}
