// A module of an allowed host that imports another.
export default async (t) => {
  await import(t.allowed(`answer?${new URLSearchParams({ type: 'text/javascript', body: `import '${t.http('module.js')}'` })}`))
}
