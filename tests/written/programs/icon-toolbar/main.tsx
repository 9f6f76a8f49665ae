// shows #bold :: Bold
// shows #icons :: 3 icons
import { Bold, Italic, Underline, type LucideIcon } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'

const tools: { id: string; label: string; Icon: LucideIcon }[] = [
  { id: 'bold', label: 'Bold', Icon: Bold }, { id: 'italic', label: 'Italic', Icon: Italic }, { id: 'underline', label: 'Underline', Icon: Underline },
]

function Toolbar() {
  const bar = useRef<HTMLDivElement>(null)
  const [icons, setIcons] = useState(0)
  useLayoutEffect(() => setIcons(bar.current!.querySelectorAll('svg.lucide').length), [])
  return (
    <>
      <div role="toolbar" ref={bar}>
        {tools.map(({ id, label, Icon }) => <button key={id} id={id}><Icon size={16} strokeWidth={2.5} /> {label}</button>)}
      </div>
      <p id="icons">{icons} icons</p>
    </>
  )
}

createRoot(document.getElementById('root')!).render(<Toolbar />)
