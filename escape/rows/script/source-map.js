// Comments that name a source map, in a script, in code from a string, and in a style sheet.
// @control: none, only open developer tools would ask for it
export default (t) => {
  const comment = (name) => `# sourceMappingURL=${t.http(`${name}.map`)}`
  const script = document.createElement('script')
  script.textContent = `void 0 //${comment('script')}`
  const style = document.createElement('style')
  style.textContent = `i { color: red } /*${comment('style')} */`
  document.head.append(script, style)
  new Function(`//# sourceURL=${t.http('source.js')}\n//${comment('function')}`)()
}
