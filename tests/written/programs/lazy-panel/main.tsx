// shows #panel :: Loaded 3 cities: Bern, Oslo, Rome
import { lazy, Suspense } from 'react'
import { createRoot } from 'react-dom/client'

const Panel = lazy(() => import('./Panel'))

createRoot(document.getElementById('root')!).render(
  <Suspense fallback={<p>Loading…</p>}>
    <Panel source="/cities.json" />
  </Suspense>,
)
