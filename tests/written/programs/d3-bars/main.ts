// shows #count :: 5 bars
// shows svg :: Elderberry
import * as d3 from 'd3'

interface Fruit { name: string; value: number }

const data: Fruit[] = [
  { name: 'Apple', value: 30 }, { name: 'Banana', value: 86 }, { name: 'Cherry', value: 168 },
  { name: 'Date', value: 281 }, { name: 'Elderberry', value: 303 },
]

const width = 480, height = 240, margin = { top: 20, right: 20, bottom: 30, left: 40 }
const x = d3.scaleBand().domain(data.map((d) => d.name)).range([margin.left, width - margin.right]).padding(0.1)
const y = d3.scaleLinear().domain([0, d3.max(data, (d) => d.value) ?? 0]).nice().range([height - margin.bottom, margin.top])

const svg = d3.select('#root').append('svg').attr('width', width).attr('height', height)
svg.append('g').selectAll('rect').data(data).join('rect')
  .attr('fill', 'steelblue')
  .attr('x', (d) => x(d.name)!).attr('y', (d) => y(d.value))
  .attr('width', x.bandwidth()).attr('height', (d) => y(0) - y(d.value))
svg.append('g').attr('transform', `translate(0,${height - margin.bottom})`).call(d3.axisBottom(x))
svg.append('g').attr('transform', `translate(${margin.left},0)`).call(d3.axisLeft(y))
d3.select('#root').append('p').attr('id', 'count').text(`${svg.selectAll('rect').size()} bars`)
