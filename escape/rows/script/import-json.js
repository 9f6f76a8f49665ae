// A JSON module.
export default async (t) => {
  await import(t.http('module.json'), { with: { type: 'json' } })
}
