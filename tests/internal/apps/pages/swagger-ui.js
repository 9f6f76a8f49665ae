SwaggerUIBundle({ url: 'http://{outside}/{app}/openapi.json', dom_id: '#app' })
