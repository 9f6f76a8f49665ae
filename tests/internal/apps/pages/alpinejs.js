import Alpine from '/alpinejs/dist/module.esm.min.js'

Alpine.start()
