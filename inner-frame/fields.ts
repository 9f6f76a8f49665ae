// Keeping what the user has entered when the document loads itself again. The outer frame
// holds it meanwhile. In the history entry's state or in sessionStorage the page could find
// it, and writing the state fires the page's own navigate handlers.
import { fieldLimit, fieldsLength, type Field } from '../protocol/protocol.gen'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

// Passwords and files stay where they are. The others are buttons, or nothing that the user
// enters.
const leftOut: readonly string[] = ['password', 'file', 'hidden', 'submit', 'button', 'reset', 'image']

// The fields to restore once the document has loaded.
let pending: readonly Field[] = []

// fieldsOf returns the fields whose values differ from those in the document's markup, and the
// pending ones. Otherwise a second reload before the load event would lose these.
export function fieldsOf(): readonly Field[] {
  const changed = changedFields()
  const keys = new Set(changed.map(({ key }) => key))
  return [...changed, ...pending.filter(({ key }) => !keys.has(key))]
}

function changedFields(): readonly Field[] {
  const fields: Field[] = []
  let length = 0
  for (const [key, control] of controls()) {
    if (!isChanged(control)) continue
    const field = { key, values: valuesOf(control) }
    const size = [key, ...field.values].reduce((sum, text) => sum + text.length, 0)
    if (length + size > fieldsLength || fields.length === fieldLimit) continue
    length += size
    fields.push(field)
  }
  return fields
}

// restore sets the fields once the document has loaded. It leaves out fields that the user
// or the page has changed by then. It fires no events.
export function restore(fields: readonly Field[]): void {
  if (document.readyState !== 'complete') {
    pending = fields
    addEventListener('load', () => restore(fields), { once: true })
    return
  }
  pending = []
  const found = controls()
  for (const { key, values } of fields) {
    const control = found.get(key)
    if (control !== undefined && !isChanged(control)) set(control, values)
  }
}

// controls returns the fields that have a key of their own.
function controls(): ReadonlyMap<string, Control> {
  const found = new Map<string, Control>()
  const twice = new Set<string>()
  for (const control of document.querySelectorAll<Control>('input, textarea, select')) {
    if (leftOut.includes(control.type) || control.id === '' && control.name === '') continue
    const key = JSON.stringify([control.localName, control.type, control.id, control.name, isBox(control) ? control.value : ''])
    if (found.has(key)) twice.add(key)
    found.set(key, control)
  }
  for (const key of twice) found.delete(key)
  return found
}

function isBox(control: Control): control is HTMLInputElement {
  return control.type === 'checkbox' || control.type === 'radio'
}

function isChanged(control: Control): boolean {
  if (isBox(control)) return control.checked !== control.defaultChecked
  if (!isSelect(control)) return control.value !== control.defaultValue
  const options = Array.from(control.options)
  // Without a default, a list of one line shows its first option.
  if (!control.multiple && !options.some((option) => option.defaultSelected)) return control.selectedIndex > 0
  return options.some((option) => option.selected !== option.defaultSelected)
}

function isSelect(control: Control): control is HTMLSelectElement {
  return control.localName === 'select'
}

function valuesOf(control: Control): readonly string[] {
  if (isBox(control)) return control.checked ? [control.value] : []
  if (isSelect(control)) return Array.from(control.selectedOptions, ({ value }) => value)
  return [control.value]
}

function set(control: Control, values: readonly string[]): void {
  if (isBox(control)) {
    control.checked = values.length > 0
  } else if (!isSelect(control)) {
    control.value = values[0] ?? ''
  } else {
    for (const option of control.options) option.selected = values.includes(option.value)
  }
}
