// An image that only an animation's keyframes name.
export default (t) => {
  const box = document.createElement('div')
  document.body.append(box)
  const image = `url(${t.http('animation.png')})`
  box.animate({ backgroundImage: [image, image] }, { duration: 1000, fill: 'both' })
}
