// shows button :: stopped
// do document.querySelector('button').click()
// shows button :: running
import { render } from 'preact'
import { useSignalLike } from './state'

function Timer() {
  const [running, setRunning] = useSignalLike(false)
  return <button class="timer" onClick={() => setRunning(!running)}>{running ? 'running' : 'stopped'}</button>
}

render(<Timer />, document.getElementById('root')!)
