// A style sheet in a shadow tree, with an @import and a background for its host.
export default async (t) => {
  const host = document.createElement('div')
  const style = document.createElement('style')
  const done = t.settled(style)
  style.textContent = `@import url(${t.http('shadow.css')}); :host { background: url(${t.http('host.png')}) }`
  host.attachShadow({ mode: 'closed' }).append(style)
  document.body.append(host)
  await done
}
