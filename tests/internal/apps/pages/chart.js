const canvas = document.createElement('canvas')
document.getElementById('app').append(canvas)
new Chart(canvas, {
  type: 'bar',
  data: { labels: ['bells'], datasets: [{ data: [6], backgroundColor: '#ff0000' }] },
  options: { animation: false, responsive: false, scales: { y: { min: 0, max: 6 } } },
})
const pixel = canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1)
document.getElementById('seen').textContent = [...pixel.data].join()
