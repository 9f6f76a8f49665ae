// A note to the user over the page. It stays outside of the page's own elements, has
// its own styles, and disappears by itself.

const shownFor = 6_000 // milliseconds

const style = ':host { all: initial; position: fixed; inset: auto 0 1rem; margin: 0 auto; padding: 0; border: 0; background: none; width: fit-content; max-width: calc(100vw - 2rem); overflow: visible; }' +
  'p { margin: 0; padding: .625rem .875rem; border-radius: .5rem; font: 14px/1.4 system-ui, sans-serif; color: #fff; background: #1c2127; border: 1px solid #ffffff26; box-shadow: 0 6px 24px #0000004d; }' +
  'code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; user-select: all; color: #9fd0ff; }'

let shown: (() => void) | undefined

export function note(text: string, detail: string): void {
  shown?.()
  const host = document.createElement('bellglass-note')
  host.setAttribute('role', 'status')
  const p = document.createElement('p')
  const code = document.createElement('code')
  code.textContent = detail
  p.append(`${text} `, code)
  const sheet = document.createElement('style')
  sheet.textContent = style
  host.attachShadow({ mode: 'closed' }).append(sheet, p)
  document.documentElement.append(host)
  try {
    host.popover = 'manual'
    host.showPopover()
  } catch {
    // Over most pages without that, too.
  }
  const timer = setTimeout(() => shown?.(), shownFor)
  shown = () => {
    clearTimeout(timer)
    host.remove()
    shown = undefined
  }
}
