// shows .katex-mathml :: E=mc^2
// shows #height :: taller than its text
import katex from 'katex'
import 'katex/dist/katex.min.css'

const root = document.getElementById('root')!
const formula = document.createElement('div')
root.append(formula)
katex.render('E=mc^2', formula, { displayMode: true })

// The style sheet makes a displayed formula a block.
const height = document.createElement('p')
height.id = 'height'
height.textContent = getComputedStyle(formula.querySelector('.katex-display')!).display === 'block' ? 'taller than its text' : 'without its styles'
root.append(height)
