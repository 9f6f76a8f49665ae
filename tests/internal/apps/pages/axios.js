const { data } = await axios.get('/bells.json')
const refusal = await axios.get('http://{outside}/axios', { params: { ring: 1 } }).catch((error) => error.message)
document.getElementById('seen').textContent = `${data.bells} bells, then ${refusal}`
