// A font that is redirected.
export default async (t) => {
  await new FontFace(`${t.name}-font`, `url(${t.redirect(t.http('font.woff2'))})`).load().catch(() => {}) // it is none
}
