// A font that script loads.
export default async (t) => {
  await new FontFace(`${t.name}-font`, `url(${t.http('font.woff2')})`).load().catch(() => {}) // it is none
}
