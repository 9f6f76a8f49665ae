// shows caption :: 3 rows
// shows td:last-child :: 10.5
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import Papa from 'papaparse'

const csv = `item,amount
"Tea, green",10.5
Coffee,20
Milk,3
`

type Row = { item: string; amount: number }

function Viewer() {
  const [result] = useState(() => Papa.parse<Row>(csv, { header: true, dynamicTyping: true, skipEmptyLines: true }))
  return (
    <table>
      <caption>{result.data.length} rows</caption>
      <tbody>{result.data.map((row) => <tr key={row.item}><td>{row.item}</td><td>{row.amount.toFixed(1)}</td></tr>)}</tbody>
    </table>
  )
}

createRoot(document.getElementById('root')!).render(<Viewer />)
