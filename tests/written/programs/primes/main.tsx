// shows #answer :: 1229 primes below 10000
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

function Primes({ below }: { below: number }) {
  const [count, setCount] = useState<number>()
  useEffect(() => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<number>) => setCount(data)
    worker.postMessage(below)
    return () => worker.terminate()
  }, [below])
  return <p id="answer">{count === undefined ? 'counting' : `${count} primes below ${below}`}</p>
}

createRoot(document.getElementById('root')!).render(<Primes below={10_000} />)
