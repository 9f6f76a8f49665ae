// The self-test's page: an offer to run it, a run, or a result that a link carries.
import { data, element } from './data'
import { button, say } from './head'
import { showResult } from './result'
import { drive } from './run'
import { post } from './server'
import type { View } from './shapes.gen'
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

async function carry(fragment: string): Promise<void> {
  try {
    showResult((await post('/selftest/read', fragment)) as View, true, () => void start())
  } catch (error) {
    offer('This link carries no result')
    element('main').dataset['state'] = 'bad-link'
    say('This link carries no result', error instanceof Error ? error.message : String(error))
  }
}

addEventListener('hashchange', () => location.reload())
if (data.run !== '' && !data.over) drive(data.run, () => void start())
else if (data.run !== '') offer('That run is over')
else if (location.hash.length > 1) void carry(location.hash.slice(1))
else offer('Does the glass hold in this browser?')
