// A redirect whose address has data in its fragment, its user name and its host's first label.
export default async (t) => {
  await fetch(t.redirect(`http://secret.${t.host}:${t.port}/label#fragment`), { mode: 'no-cors' })
}
