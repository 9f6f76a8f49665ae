// What a realm is to run, and the wait until it has told the page that it has. WebRTC, which can end Chromium's
// renderer in a nested realm and all rows in it, is left out and has rows of its own.
export function tries(t, to = 'parent') {
  const source = t.everything(`${to}.postMessage(\`${t.name}\`, \`*\`)`)
  return { source: `delete globalThis.RTCPeerConnection; ${source}`, over: t.message(t.name) }
}

// run runs a script in the document of a frame or window.
export function run(document, source) {
  const script = document.createElement('script')
  script.textContent = source
  document.documentElement.append(script)
}
