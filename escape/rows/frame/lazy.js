// A lazy frame inside the viewport, which loads once layout has seen it.
export default (t) => {
  const frame = document.createElement('iframe')
  frame.loading = 'lazy'
  frame.src = t.http('lazy')
  frame.style = 'position: fixed; inset: 0'
  document.body.append(frame)
}
