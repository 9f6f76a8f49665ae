// The head of the page: what it says, and what can be done.
import { icon, make } from '../host-page/dom'
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

// linkBox holds a link that is far too long to be shown.
export function linkBox(link: string): HTMLElement {
  const field = make('input', { class: 'link', attributes: { readonly: '', 'aria-label': 'Link that carries this result', 'data-testid': 'link' } })
  field.value = link
  field.addEventListener('focus', () => field.select())
  const copy = button('Copy the link', () => {
    field.select()
    // This page may not use the Clipboard API, as none of Bellglass's may; a
    // gesture may copy a selection.
    copy.lastChild?.replaceWith(document.execCommand('copy') ? 'Copied' : 'Press Ctrl+C')
  })
  copy.prepend(icon('link'))
  return make('span', { class: 'linkbox' }, field, copy)
}
