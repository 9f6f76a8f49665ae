// shows #display :: 0
// do for (const key of ['1', '2', '×', '3', '=']) { [...document.querySelectorAll('button')].find((b) => b.textContent === key).click(); await new Promise(requestAnimationFrame) }
// shows #display :: 36
import React from 'react'
import ReactDOM from 'react-dom/client'

const operators = { '+': (a, b) => a + b, '-': (a, b) => a - b, '×': (a, b) => a * b, '÷': (a, b) => a / b }

class Calculator extends React.Component {
  state = { display: '0', before: null, operator: null, fresh: true }

  press = (key) => {
    const { display, before, operator, fresh } = this.state
    if (/\d/.test(key)) {
      this.setState({ display: fresh ? key : display + key, fresh: false })
    } else if (key === '=') {
      this.setState({ display: String(operators[operator]?.(before, Number(display)) ?? display), operator: null, fresh: true })
    } else {
      this.setState({ before: Number(display), operator: key, fresh: true })
    }
  }

  render() {
    return (
      <div>
        <output id="display">{this.state.display}</output>
        <div>{[...'0123456789', ...Object.keys(operators), '='].map((key) => <button key={key} onClick={() => this.press(key)}>{key}</button>)}</div>
      </div>
    )
  }
}

ReactDOM.createRoot(document.getElementById('root')).render(<React.StrictMode><Calculator /></React.StrictMode>)
