// Relations that only say something about the page, which no browser should act upon.
// @control: none, browsers act upon none of these
export default (t) => {
  const relations = ['alternate', 'amphtml', 'author', 'bookmark', 'canonical', 'chrome-webstore-item', 'EditURI', 'expect',
    'facilitated-payment', 'first', 'help', 'index', 'last', 'license', 'me', 'micropub', 'monetization', 'next',
    'openid.server', 'pingback', 'prev', 'privacy-policy', 'shortlink', 'subresource', 'terms-of-service', 'up', 'webmention', 'wlwmanifest']
  for (const rel of relations) {
    const link = document.createElement('link')
    link.rel = rel
    link.href = t.http(rel)
    document.head.append(link)
  }
}
