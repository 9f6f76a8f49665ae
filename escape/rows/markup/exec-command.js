// An image that an editing command inserts.
// @alone: it takes the selection
export default (t) => {
  const editor = document.createElement('div')
  editor.contentEditable = 'true'
  editor.textContent = 'text'
  document.body.append(editor)
  editor.focus()
  document.execCommand('insertImage', false, t.http('image.png'))
  document.execCommand('insertHTML', false, `<img src="${t.http('html.png')}">`)
}
