// A declarative shadow tree with an image and a style sheet of the canary.
export default async (t) => {
  const host = document.createElement('div')
  document.body.append(host)
  host.setHTMLUnsafe(`<section><template shadowrootmode="open"><style>@import url(${t.http('style.css')})</style><img src="${t.http('image.png')}"></template></section>`)
  await t.settled(host.firstChild.shadowRoot.querySelector('img'))
}
