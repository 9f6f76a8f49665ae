document.querySelector('.reveal').style.height = '300px'
Reveal.initialize({ embedded: true, hash: false })
