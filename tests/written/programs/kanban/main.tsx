// shows [data-column=todo] :: Design
// do const at = new DataTransfer(), fire = (element, type) => element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: at })); fire([...document.querySelectorAll('article')].find((a) => a.textContent === 'Design'), 'dragstart'); fire(document.querySelector('[data-column=done]'), 'dragover'); fire(document.querySelector('[data-column=done]'), 'drop')
// shows [data-column=done] :: Design
import { useReducer } from 'react'
import { createRoot } from 'react-dom/client'

const columns = ['todo', 'doing', 'done'] as const
type Column = (typeof columns)[number]
type Card = { id: string; title: string; column: Column }
type Action = { type: 'move'; id: string; to: Column }

function reducer(cards: Card[], action: Action): Card[] {
  switch (action.type) {
    case 'move':
      return cards.map((card) => (card.id === action.id ? { ...card, column: action.to } : card))
  }
}

function Board() {
  const [cards, dispatch] = useReducer(reducer, [
    { id: 'a', title: 'Design', column: 'todo' },
    { id: 'b', title: 'Build', column: 'doing' },
  ])
  return (
    <div style={{ display: 'flex', gap: 12 }}>
      {columns.map((column) => (
        <section key={column} data-column={column} style={{ width: 160, minHeight: 120, background: '#eee', padding: 8 }}
          onDragOver={(e) => e.preventDefault()}
          onDrop={(e) => dispatch({ type: 'move', id: e.dataTransfer.getData('text/plain'), to: column })}>
          <h2>{column}</h2>
          {cards.filter((card) => card.column === column).map((card) => (
            <article key={card.id} draggable onDragStart={(e) => e.dataTransfer.setData('text/plain', card.id)}>{card.title}</article>
          ))}
        </section>
      ))}
    </div>
  )
}

createRoot(document.getElementById('root')!).render(<Board />)
