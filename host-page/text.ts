// Showing text that untrusted code wrote, and the small formats of the lists.

// Characters that reorder the text around them, have no width, or are blank, and so can
// hide text or make a URL or a console line look like another one. \p{DI} includes the
// Hangul fillers and the tag characters. The variation selector that makes an emoji is
// kept, and so are the first four marks on a letter: more would cover the lines around.
const deceiving = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2800]|(?!(?<=\p{Emoji})\ufe0f)\p{DI}|(?<=\p{M}{4})\p{M}/gu

// visible spells such characters out. Line feeds and tabs stay.
export function visible(text: string): string {
  return text.replace(deceiving, (c) => `⟨U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`)
}

// oneLine is for places where a line feed would disappear in the layout.
export function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ')
}

// clock returns the local time of day, to the millisecond.
export function clock(time: string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return '--:--:--'
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

// position returns a file's base name with its line, or "" if there is no file. The root of a
// host is "/", because the host's name would take the room of the text beside it.
export function position(file: string | undefined, line: number | undefined): string {
  const path = (file ?? '').replace(/[?#].*$/s, '')
  if (path === '') return ''
  const base = /^[a-z][a-z0-9+.-]*:\/\/[^/\\]*[/\\]?$/i.test(path) ? '/' : path.split(/[\\/]/).filter((part) => part !== '').at(-1) ?? path
  return line !== undefined && line > 0 ? `${base}:${line}` : base
}

export function count(n: number): string {
  return n.toLocaleString('en')
}
