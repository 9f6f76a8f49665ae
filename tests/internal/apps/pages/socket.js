const refused = (transport) => new Promise((resolve) => {
  io('http://{outside}', { path: '/socket/', transports: [transport], reconnection: false, forceNew: true, timestampRequests: false })
    .on('connect_error', (error) => resolve(error.message))
})
document.getElementById('seen').textContent = `${await refused('websocket')}, ${await refused('polling')}`
