// A fetch in the mode no-cors, whose answer cannot be read.
export default async (t) => {
  await fetch(t.http('no-cors'), { mode: 'no-cors' })
}
