// Frames of the canary that the HTML parser makes, from innerHTML and from insertAdjacentHTML.
export default async (t) => {
  const box = document.createElement('div')
  document.body.append(box)
  box.innerHTML = `<iframe src="${t.http('inner')}"></iframe>`
  box.insertAdjacentHTML('beforeend', `<iframe src="${t.http('adjacent')}"></iframe>`)
  await Promise.all([...box.children].map((frame) => t.settled(frame)))
}
