const archive = await new JSZip().file('bells.txt', 'ding ding').generateAsync({ type: 'blob' })
const head = await archive.slice(0, 2).text()
const unpacked = await JSZip.loadAsync(archive)
document.getElementById('seen').textContent = `${head}, ${await unpacked.file('bells.txt').async('string')}`
