const worker = new Worker('/sql.js/dist/worker.sql-wasm.js')
const ask = (message) => new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => data.error ? reject(new Error(data.error)) : resolve(data)
  worker.onerror = reject
  worker.postMessage(message)
})
await ask({ action: 'open' })
const { results } = await ask({
  action: 'exec',
  sql: `CREATE TABLE bells (name, weight); INSERT INTO bells VALUES ('emmanuel', 13), ('ben', 14);
    SELECT * FROM bells WHERE weight > 13`,
})
document.getElementById('seen').textContent = JSON.stringify(results[0].values)
