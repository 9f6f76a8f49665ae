// A request with another method than those of the rule that allows its address.
export default async (t) => {
  await fetch(t.readable('method'), { method: 'POST', body: 'x' }).catch(() => {})
}
