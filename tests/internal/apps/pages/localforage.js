await localforage.setItem('bells', { bells: [6] })
const stored = await localforage.getItem('bells')
document.getElementById('seen').textContent = `${localforage.driver()}: ${JSON.stringify(stored)}`
