const bell = document.getElementById('bell')
const look = () => {
  const { display, width } = getComputedStyle(bell)
  if (display === 'block' && width === '192px') document.getElementById('seen').textContent = width
  else requestAnimationFrame(look)
}
look()
