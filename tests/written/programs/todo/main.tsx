// shows #left :: 2 left
// do document.querySelectorAll('li input')[0].click()
// shows #left :: 1 left
import { useEffect, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'

interface Todo { id: number; text: string; done: boolean }
type Filter = 'all' | 'active' | 'done'

const initial: Todo[] = [
  { id: 1, text: 'Buy milk', done: false },
  { id: 2, text: 'Write tests', done: false },
  { id: 3, text: 'Sleep', done: true },
]

export default function App() {
  const [todos, setTodos] = useState<Todo[]>(initial)
  const [filter, setFilter] = useState<Filter>('all')
  const [draft, setDraft] = useState('')
  const left = useMemo(() => todos.filter((t) => !t.done).length, [todos])
  useEffect(() => { document.title = `${left} left` }, [left])
  const shown = todos.filter((t) => filter === 'all' || t.done === (filter === 'done'))
  return (
    <main style={{ fontFamily: 'system-ui', maxWidth: 420, margin: '2rem auto' }}>
      <form onSubmit={(e) => { e.preventDefault(); setTodos([...todos, { id: Date.now(), text: draft, done: false }]); setDraft('') }}>
        <input value={draft} onChange={(e) => setDraft(e.target.value)} placeholder="What needs to be done?" />
      </form>
      <ul>
        {shown.map((t) => (
          <li key={t.id}>
            <label>
              <input type="checkbox" checked={t.done} onChange={() => setTodos(todos.map((o) => (o.id === t.id ? { ...o, done: !o.done } : o)))} />
              {t.text}
            </label>
          </li>
        ))}
      </ul>
      <p id="left">{left} left</p>
      {(['all', 'active', 'done'] as const).map((f) => <button key={f} aria-pressed={f === filter} onClick={() => setFilter(f)}>{f}</button>)}
    </main>
  )
}

createRoot(document.getElementById('root')!).render(<App />)
