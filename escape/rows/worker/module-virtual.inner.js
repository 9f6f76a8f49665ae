const tell = () => postMessage('tried')
import(new URLSearchParams(location.search).get('url')).then(tell, tell)
