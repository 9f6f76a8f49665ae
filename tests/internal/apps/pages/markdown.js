const html = marked.parse('# Bells\n\n<img src="/none.png" onerror="alert(1)">')
const clean = DOMPurify.sanitize(html)
document.getElementById('app').innerHTML = clean
document.getElementById('seen').textContent = clean
