// Showing text that untrusted code wrote, and the small formats of the lists.

// Characters that reorder what stands around them, or take no room and so hide
// in it: with them a URL or a console line can read as something it is not.
const deceiving = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

// visible spells such characters out. Line feeds and tabs stay.
export function visible(text: string): string {
  return text.replace(deceiving, (c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`)
}

// oneLine is for places where a line feed would be lost in the layout.
export function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ')
}

// clock is the local time of day, to the millisecond.
export function clock(time: string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return '--:--:--'
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

// position is a file's base name with its line, "" when there is no file.
export function position(file: string | undefined, line: number | undefined): string {
  const path = (file ?? '').replace(/[?#].*$/s, '')
  if (path === '') return ''
  const base = path.split(/[\\/]/).filter((part) => part !== '').at(-1) ?? path
  return line !== undefined && line > 0 ? `${base}:${line}` : base
}

export function count(n: number): string {
  return n.toLocaleString('en')
}
