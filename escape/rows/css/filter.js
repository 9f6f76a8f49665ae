// A filter, a clip path and paint that refer to another document.
export default (t) => {
  const box = document.createElement('div')
  box.style.filter = box.style.backdropFilter = `url(${t.http('filter.svg')}#x)`
  box.style.clipPath = `url(${t.http('clip.svg')}#x)`
  box.style.offsetPath = `url(${t.http('offset.svg')}#x)`
  box.textContent = 'filter'
  document.body.append(box)
}
