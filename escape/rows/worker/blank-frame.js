// A worker that an empty frame starts.
import { starter } from './wait.shared.js'

export default async (t) => {
  const tried = t.message(t.name)
  const inner = document.body.appendChild(document.createElement('iframe')).contentDocument
  const script = inner.createElement('script')
  script.textContent = starter(t)
  inner.body.append(script)
  await tried
}
