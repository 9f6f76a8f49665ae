const terminal = new Terminal({ cols: 20, rows: 2 })
terminal.open(document.getElementById('app'))
terminal.write('$ ')
terminal.onData((data) => terminal.write(data))
