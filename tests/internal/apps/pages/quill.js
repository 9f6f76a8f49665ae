new Quill('#app', { theme: 'snow' })
