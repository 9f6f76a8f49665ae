// The page for a missing file names the path, which contains markup.
// @control: none, the page escapes what it names
export default (t) => t.frame((frame) => { frame.src = `/missing/<img src='${t.host}:${t.port}/x'><img src=//${t.host}:${t.port}>.html` })
