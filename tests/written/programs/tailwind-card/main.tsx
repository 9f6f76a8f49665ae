// shows #measured :: 28px bold rgb(255, 255, 255)
import { useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import '@tailwindcss/browser'

function Card() {
  const title = useRef<HTMLHeadingElement>(null)
  const [measured, setMeasured] = useState('')
  useEffect(() => {
    const measure = () => {
      const { fontSize, fontWeight, color } = getComputedStyle(title.current!)
      setMeasured(`${fontSize} ${fontWeight === '700' ? 'bold' : fontWeight} ${color}`)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(title.current!)
    return () => observer.disconnect()
  }, [])
  return (
    <div className="m-4 rounded-xl bg-slate-900 p-6 shadow-lg">
      <h1 ref={title} className="text-[28px] font-bold text-white">Tailwind</h1>
      <p id="measured" className="text-slate-300">{measured}</p>
    </div>
  )
}

createRoot(document.getElementById('root')!).render(<Card />)
