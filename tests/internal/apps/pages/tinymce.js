await tinymce.init({
  selector: '#text',
  license_key: 'gpl',
  base_url: '/tinymce',
  suffix: '.min',
  plugins: 'lists',
  toolbar: 'bold',
  promotion: false,
  setup: (editor) => editor.on('FormatApply', () => { document.getElementById('seen').textContent = editor.getContent() }),
})
const [editor] = tinymce.get()
editor.setContent('six bells')
editor.selection.select(editor.getBody(), true)
