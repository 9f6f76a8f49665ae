document.getElementById('modal').addEventListener('shown.bs.modal', () => {
  const color = getComputedStyle(document.querySelector('.btn-primary')).getPropertyValue('--bs-btn-bg')
  const probe = document.createElement('i')
  probe.style.color = color
  document.getElementById('seen').append(probe)
  document.getElementById('seen').append(`shown, ${getComputedStyle(probe).color}`)
})
