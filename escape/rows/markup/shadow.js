// A declarative shadow tree, set as markup, with an image in it.
export default async (t) => {
  const host = document.createElement('div')
  document.body.append(host)
  host.setHTMLUnsafe(`<div><template shadowrootmode="open"><img src="${t.http('shadow.png')}"></template></div>`)
  await t.settled(host.firstChild.shadowRoot.firstChild)
}
