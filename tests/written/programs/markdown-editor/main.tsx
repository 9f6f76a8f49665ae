// shows #preview h1 :: Hello
// shows #preview li:nth-child(2) :: two
// shows #preview code :: const a = 1
import { useDeferredValue, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { marked } from 'marked'

const start = `# Hello

- one
- two

\`const a = 1\`
`

function Editor() {
  const [text, setText] = useState(start)
  const shown = useDeferredValue(text)
  return (
    <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 16 }}>
      <textarea value={text} onChange={(e) => setText(e.target.value)} rows={12} />
      <article id="preview" dangerouslySetInnerHTML={{ __html: marked.parse(shown, { async: false }) }} />
    </div>
  )
}

createRoot(document.getElementById('root')!).render(<Editor />)
