// pixel canvas 100 150 :: 255 99 132
import { Chart, registerables } from 'chart.js'

Chart.register(...registerables)

const canvas = document.createElement('canvas')
canvas.width = 400
canvas.height = 200
document.getElementById('root')!.append(canvas)

new Chart(canvas, {
  type: 'bar',
  data: { labels: ['Red', 'Blue'], datasets: [{ label: 'Votes', data: [12, 19], backgroundColor: ['rgb(255, 99, 132)', 'rgb(54, 162, 235)'] }] },
  options: { animation: false, responsive: false, devicePixelRatio: 1, plugins: { legend: { display: false } }, scales: { y: { beginAtZero: true } } },
})
