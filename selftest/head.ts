// The head of the page: its title, its lead, and its buttons.
import { make } from '../host-page/dom'
import { element } from './data'

export function say(title: string, lead: string): void {
  element('title').textContent = title
  element('lead').textContent = lead
}

export function button(text: string, act: () => void, strong = false): HTMLButtonElement {
  const made = make('button', { class: strong ? 'button strong' : 'button', attributes: { type: 'button' }, data: { testid: 'action' } }, text)
  made.addEventListener('click', act)
  return made
}
