mermaid.initialize({ startOnLoad: false })
const { svg } = await mermaid.render('graph', 'flowchart LR\n rope[Rope] --> bell[Bell]')
document.getElementById('app').innerHTML = svg
