require.config({ paths: { vs: location.origin + '/monaco-editor/min/vs' } })
document.getElementById('app').style = 'height: 300px'
require(['vs/editor/editor.main'], () => {
  monaco.editor.create(document.getElementById('app'), { value: '', language: 'typescript' })
})
