katex.render('x^2', document.getElementById('app'))
const [font] = await document.fonts.load('italic 16px KaTeX_Math')
document.getElementById('seen').textContent = `${font.family} ${font.status}`
