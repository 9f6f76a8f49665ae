// An import() in code that is made of strings, in the ways that there are.
export default async (t) => {
  const source = (name) => `import('${t.http(`${name}.js`)}')`
  setTimeout(source('timer'), 0)
  const handler = document.createElement('i')
  handler.setAttribute('onclick', source('handler'))
  handler.onclick()
  await Promise.allSettled([(0, eval)(source('eval')), new Function(`return ${source('function')}`)()])
}
