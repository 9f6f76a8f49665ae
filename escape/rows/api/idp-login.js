// Telling the browser that the user has signed in, with an account's picture elsewhere.
// @control: none, a frame of another site may not say so
export default async (t) => {
  await navigator.login.setStatus('logged-in', { accounts: [{ id: '1', name: 'secret', email: 'a@b.test', picture: t.https('picture.png') }] })
}
