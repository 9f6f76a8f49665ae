CodeMirror(document.getElementById('app'), { mode: 'javascript' })
