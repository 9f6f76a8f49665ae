// The self-test's page: an offer to run it, or a run with its result.
import { data, element } from './data'
import { button, say } from './head'
import { drive } from './run'
import { post } from './server'
import { Wall } from './wall'

async function start(): Promise<void> {
  try {
    const { path } = (await post('/selftest/runs', null)) as { path: string }
    location.assign(path)
  } catch (error) {
    say('Not started', error instanceof Error ? error.message : String(error))
  }
}

function offer(title: string): void {
  const run = data.techniques.filter((technique) => technique.left === '').length
  element('main').dataset['state'] = 'offer'
  say(title, `${run} of ${data.techniques.length} known techniques of getting out of a sandbox run in this browser, against a canary on this machine. It takes a minute or two, and nothing leaves your machine.`)
  element('actions').replaceChildren(button('Run the test', () => void start(), true))
  new Wall(data.techniques.map((technique) => technique.name))
}

if (data.run !== '' && !data.over) drive(data.run, () => void start())
else if (data.run !== '') offer('That run is over')
else offer('Does the glass hold in this browser?')
