// A srcdoc document that holds a frame of the canary.
export default (t) => t.frame((frame) => { frame.srcdoc = `<iframe src="${t.http('inner')}"></iframe>` })
