// A run: the server says which frames to show, and this page shows them.
import { data, element } from './data'
import { button, say } from './head'
import { showResult } from './result'
import { post } from './server'
import type { Order } from './shapes.gen'
import { Stage } from './stage'
import { Wall } from './wall'

export function drive(id: string, again: () => void): void {
  const path = `/selftest/runs/${id}`
  const all = data.techniques.filter((technique) => technique.left === '').length
  const wall = new Wall(data.techniques.map((technique) => technique.name))
  const stage = new Stage((frame) => {
    post(`${path}/frames`, frame).catch(() => undefined) // the run is over
  })
  let ran = 0
  const started = Date.now()
  const clock = setInterval(() => {
    element('clock').textContent = `${Math.round((Date.now() - started) / 1000)} s`
  }, 1000)

  element('main').dataset['state'] = 'running'
  element('progress').hidden = false
  document.title = 'Testing · Bellglass'
  say('Testing this browser', 'Hostile code runs in the frames below, twice: under glass and without. Keep this tab in the foreground, because browsers slow down hidden tabs.')
  element('actions').replaceChildren(button('Cancel', () => {
    post(`${path}/cancel`, null).catch(() => undefined)
  }))
  const progress = (): void => {
    element('count').textContent = `${ran} of ${all} techniques`
    element('fill').style.width = `${(100 * ran) / all}%`
    element('track').setAttribute('aria-valuemax', String(all))
    element('track').setAttribute('aria-valuenow', String(ran))
  }
  progress()

  const orders = new EventSource(`${path}/orders`)
  const end = (): void => {
    orders.close()
    clearInterval(clock)
    stage.end()
    element('progress').hidden = true
  }
  orders.onmessage = ({ data: text }: MessageEvent<string>) => {
    const order = JSON.parse(text) as Order
    switch (order.kind) {
      case 'open':
        stage.open(order)
        break
      case 'close':
        stage.close(order)
        break
      case 'rows':
        ran += order.rows?.length ?? 0
        wall.show(order.rows ?? [])
        progress()
        break
      case 'end':
        end()
        if (order.view) showResult(order.view, again)
        break
      default:
        order.kind satisfies never
    }
  }
  orders.onerror = () => {
    end()
    element('main').dataset['state'] = 'lost'
    element('head').dataset['verdict'] = 'unmeasured'
    say('Not measured', 'The server has ended the run, or does not answer any more.')
    element('actions').replaceChildren(button('Run it again', again, true))
  }
}
