// A module import between virtual files, as any page would have it.
import { attempts } from './attempts.js'

const list = document.getElementById('attempts')

for (const { name, run } of attempts) {
  const item = document.createElement('li')
  const label = document.createElement('span')
  const button = document.createElement('button')
  const output = document.createElement('output')
  label.textContent = name
  button.textContent = 'Try'
  button.addEventListener('click', async () => {
    output.className = ''
    output.textContent = '…'
    try {
      output.textContent = await run()
      output.className = 'out'
    } catch (error) {
      output.textContent = `Did not get through: ${error.message}`
      output.className = 'in'
    }
  })
  item.append(label, button, output)
  list.append(item)
}
console.log('%d attempts are ready', attempts.length)
