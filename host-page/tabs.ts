// The panel's tabs, after the ARIA tabs pattern: the arrow keys move and select.
import { element } from './data'

export function tabs(list: HTMLElement): void {
  const all = Array.from(list.querySelectorAll<HTMLElement>('[role=tab]'))
  const select = (chosen: HTMLElement): void => {
    for (const tab of all) {
      tab.setAttribute('aria-selected', String(tab === chosen))
      tab.tabIndex = tab === chosen ? 0 : -1
      // A hidden list keeps its layout, so that it keeps following its newest line and
      // reappears at the same position.
      element(tab.getAttribute('aria-controls') ?? '').toggleAttribute('data-away', tab !== chosen)
    }
  }
  for (const [index, tab] of all.entries()) {
    tab.addEventListener('click', () => select(tab))
    tab.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      if (step === undefined) return
      const next = all[(index + step + all.length) % all.length]
      if (next === undefined) return
      event.preventDefault()
      select(next)
      next.focus()
    })
  }
}
