// shows #look :: dark rgb(17, 17, 17)
// do document.querySelector('button').click()
// shows #look :: light rgb(255, 255, 255)
import { createContext, useContext, useEffect, useReducer, useRef, useState, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import styles from './theme.module.css'

const Theme = createContext<'dark' | 'light'>('dark')

function Panel({ children }: { children: ReactNode }) {
  const theme = useContext(Theme), panel = useRef<HTMLDivElement>(null)
  const [color, setColor] = useState('')
  useEffect(() => setColor(getComputedStyle(panel.current!).backgroundColor), [theme])
  return <div ref={panel} className={`${styles.panel} ${styles[theme]}`}>{children}<p id="look">{theme} {color}</p></div>
}

function App() {
  const [theme, toggle] = useReducer((now: 'dark' | 'light') => (now === 'dark' ? 'light' : 'dark'), 'dark')
  return <Theme.Provider value={theme}><Panel><button onClick={toggle}>Switch</button></Panel></Theme.Provider>
}

createRoot(document.getElementById('root')!).render(<App />)
