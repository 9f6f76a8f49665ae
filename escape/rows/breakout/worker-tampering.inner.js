onfetch = (event) => event.respondWith(fetch(event.request))
