// A CSS module.
export default async (t) => {
  await import(t.http('module.css'), { with: { type: 'css' } })
}
