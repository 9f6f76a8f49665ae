// An @import that is inserted as a rule into a style sheet that exists.
export default (t) => {
  const style = document.createElement('style')
  document.head.append(style)
  style.sheet.insertRule(`@import url(${t.http('inserted.css')});`)
}
