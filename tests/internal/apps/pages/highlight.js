const place = document.getElementById('app')
place.innerHTML = '<pre><code class="language-javascript">const bells = 6</code></pre>'
hljs.highlightAll()
document.getElementById('seen').textContent = getComputedStyle(place.querySelector('.hljs-keyword')).color
