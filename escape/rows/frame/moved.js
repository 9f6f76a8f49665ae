// A frame that is moved while it loads, and so loads again.
export default async (t) => {
  const frame = document.createElement('iframe')
  const done = t.settled(frame)
  frame.src = t.http('moved')
  document.body.append(frame)
  const blank = document.body.appendChild(document.createElement('iframe'))
  blank.contentDocument.body.append(frame)
  document.body.append(frame)
  await done
}
