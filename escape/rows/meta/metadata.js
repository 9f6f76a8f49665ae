// Addresses in meta data for search engines, social networks, shells and wallets.
// @control: none, browsers fetch nothing for these
export default (t) => {
  const names = ['msapplication-config', 'msapplication-TileImage', 'msapplication-notification', 'monetization', 'twitter:player', 'og:image', 'og:video', 'al:web:url', 'fc:frame', 'apple-itunes-app', 'thumbnail']
  for (const name of names) {
    const meta = document.createElement('meta')
    meta.name = name
    meta.setAttribute('property', name)
    meta.content = t.http(name)
    document.head.append(meta)
  }
}
