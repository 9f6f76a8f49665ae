addEventListener('install', (event) => event.waitUntil(fetch(new URLSearchParams(location.search).get('url'), { mode: 'no-cors' })))
