export const attempts = [
  { name: 'Read a virtual file, /wisdom.json', run: async () => (await (await fetch('/wisdom.json')).json()).text },
  { name: 'Fetch what a rule allows, localhost:8000/hello', run: async () => (await fetch('http://localhost:8000/hello')).text() },
  { name: 'Fetch what no rule allows, example.org', run: async () => (await fetch('https://example.org/')).text() },
  { name: 'Load a tracking picture from example.com', run: () => picture('https://pixel.example.com/1.gif?secret=42') },
  { name: 'Open a WebSocket', run: () => socket('wss://echo.example.org') },
  { name: 'Navigate away with a secret in the address', run: () => navigate('https://example.org/?secret=42') },
]

function picture(src) {
  return new Promise((resolve, reject) => {
    const image = new Image()
    image.onload = () => resolve('The picture was loaded.')
    image.onerror = () => reject(new Error('the picture was not loaded'))
    image.src = src
  })
}

function socket(url) {
  return new Promise((resolve, reject) => {
    const connection = new WebSocket(url)
    connection.onopen = () => resolve('The WebSocket is open.')
    connection.onerror = () => reject(new Error('no connection'))
  })
}

function navigate(url) {
  const frame = document.createElement('iframe')
  frame.hidden = true
  document.body.append(frame)
  return new Promise((resolve, reject) => {
    addEventListener('securitypolicyviolation', (event) => {
      frame.remove()
      reject(new Error(`refused by ${event.effectiveDirective}`))
    }, { once: true })
    frame.src = url
  })
}
