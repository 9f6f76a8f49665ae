// shows .recharts-legend-wrapper :: revenue
// shows #total :: $1,860
import { createRoot } from 'react-dom/client'
import { CartesianGrid, Legend, Line, LineChart, Tooltip, XAxis, YAxis } from 'recharts'

const data = [
  { month: 'Jan', revenue: 400, cost: 240 },
  { month: 'Feb', revenue: 300, cost: 139 },
  { month: 'Mar', revenue: 580, cost: 380 },
  { month: 'Apr', revenue: 580, cost: 290 },
]

const currency = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

function Dashboard() {
  const total = data.reduce((sum, { revenue }) => sum + revenue, 0)
  return (
    <section>
      <h1 id="total">{currency.format(total)}</h1>
      <LineChart width={500} height={300} data={data}>
        <CartesianGrid strokeDasharray="3 3" />
        <XAxis dataKey="month" />
        <YAxis />
        <Tooltip />
        <Legend />
        <Line type="monotone" dataKey="revenue" stroke="#8884d8" isAnimationActive={false} />
        <Line type="monotone" dataKey="cost" stroke="#82ca9d" isAnimationActive={false} />
      </LineChart>
    </section>
  )
}

createRoot(document.getElementById('root')!).render(<Dashboard />)
