// shows tbody tr:first-child :: Ada
// do document.querySelector('th:nth-child(2)').click()
// shows tbody tr:first-child :: Linus
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { differenceInYears, format, parseISO } from 'date-fns'
import { orderBy } from 'lodash-es'

type Person = { name: string; born: string; team: string }

const people: Person[] = [
  { name: 'Linus', born: '1969-12-28', team: 'kernel' },
  { name: 'Ada', born: '1815-12-10', team: 'engines' },
  { name: 'Grace', born: '1906-12-09', team: 'compilers' },
]

function Table() {
  const [sort, setSort] = useState<{ key: keyof Person; direction: 'asc' | 'desc' }>({ key: 'name', direction: 'asc' })
  const rows = orderBy(people, [sort.key], [sort.direction])
  const head = (key: keyof Person, label: string) => (
    <th onClick={() => setSort({ key, direction: key === 'born' ? 'desc' : 'asc' })} style={{ cursor: 'pointer' }}>{label}</th>
  )
  return (
    <table>
      <thead><tr>{head('name', 'Name')}{head('born', 'Born')}{head('team', 'Team')}</tr></thead>
      <tbody>
        {rows.map((p) => (
          <tr key={p.name}>
            <td>{p.name}</td>
            <td title={`${differenceInYears(new Date(2026, 0, 1), parseISO(p.born))} years`}>{format(parseISO(p.born), 'd MMM yyyy')}</td>
            <td>{p.team}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

createRoot(document.getElementById('root')!).render(<Table />)
