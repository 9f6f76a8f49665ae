// shows #answer :: none
// do document.querySelector('#open').click()
// shows body > [role=dialog] :: Are you sure?
// do document.querySelector('[role=dialog] button').click()
// shows #answer :: yes
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createPortal } from 'react-dom'
import './modal.css'

function Modal({ onAnswer }: { onAnswer: (answer: string) => void }) {
  return createPortal(<div role="dialog" className="modal"><p>Are you sure?</p><button onClick={() => onAnswer('yes')}>Yes</button></div>, document.body)
}

function App() {
  const [open, setOpen] = useState(false), [answer, setAnswer] = useState('none')
  return (
    <>
      <button id="open" onClick={() => setOpen(true)}>Delete</button>
      <p id="answer">{answer}</p>
      {open && <Modal onAnswer={(given) => { setAnswer(given); setOpen(false) }} />}
    </>
  )
}

createRoot(document.getElementById('root')!).render(<App />)
