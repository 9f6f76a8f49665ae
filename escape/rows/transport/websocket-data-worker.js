// A WebSocket in a data: worker.
export default (t) => {
  const worker = new Worker(`data:text/javascript,${encodeURIComponent(`new WebSocket('${t.ws('worker')}').onopen = () => postMessage('tried')`)}`)
  const failed = new Promise((resolve) => { worker.onerror = resolve })
  return Promise.race([t.message('tried', worker), failed])
}
