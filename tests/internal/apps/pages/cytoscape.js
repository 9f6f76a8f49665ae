const place = document.getElementById('app')
place.style = 'width: 100px; height: 100px'
const edge = (source, target) => ({ data: { source, target } })
const graph = cytoscape({
  container: place,
  elements: ['a', 'b', 'c'].map((id) => ({ data: { id } })).concat(edge('a', 'b'), edge('b', 'c')),
  style: [{ selector: 'node', style: { shape: 'rectangle', 'background-color': '#ff0000', width: 40, height: 40 } }],
  layout: { name: 'preset', positions: { a: { x: 0, y: 0 }, b: { x: 50, y: 50 }, c: { x: 100, y: 100 } }, fit: false },
  pixelRatio: 1,
})
const path = graph.elements().aStar({ root: '#a', goal: '#c' }).path.nodes().map((node) => node.id())
graph.once('render', () => {
  const canvas = place.querySelector('canvas[data-id="layer2-node"]')
  const pixel = canvas.getContext('2d').getImageData(50, 50, 1, 1)
  document.getElementById('seen').textContent = `${path.join(' → ')}, ${[...pixel.data].join()}`
})
