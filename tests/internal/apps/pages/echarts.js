const place = document.getElementById('app')
const chart = echarts.init(place, null, { width: 200, height: 200, devicePixelRatio: 1 })
chart.on('finished', () => {
  const pixel = place.querySelector('canvas').getContext('2d').getImageData(100, 100, 1, 1)
  document.getElementById('seen').textContent = [...pixel.data].join()
})
chart.setOption({
  animation: false,
  xAxis: { data: ['bells'] },
  yAxis: { max: 6 },
  series: [{ type: 'bar', data: [6], itemStyle: { color: '#ff0000' } }],
})
