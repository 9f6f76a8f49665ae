// Waits until a worker, or the port of a shared one, has told that it has tried, or cannot start.
export const wait = (t, worker) => Promise.race([t.message('tried', worker.port ?? worker), failed(worker)])

// persist starts another worker each second until one has told that it has tried. Firefox 153
// loses some one in 500 of the workers that a worker starts, when the machine is busy: their
// script never runs, and there is no error.
export const persist = async (start) => {
  for (let starts = 0; starts < 20; starts++) {
    if (await Promise.race([start().then(() => true), new Promise((resolve) => setTimeout(resolve, 1_000))])) return
  }
}

export const failed = (worker) => new Promise((resolve) => { worker.onerror = resolve })

// The source of a worker that tries everything: of a dedicated one, and of a shared one.
export const dedicated = (t) => t.everything('postMessage(`tried`)')
export const shared = (t) => `onconnect = ({ ports: [port] }) => ${t.everything('port.postMessage(`tried`)')}`

// The script of a frame that starts such a worker, and tells the page above when that has tried.
export const starter = (t) => `{
  const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(dedicated(t))}], { type: 'text/javascript' })))
  worker.onmessage = worker.onerror = () => parent.postMessage('${t.name}', '*')
}`
