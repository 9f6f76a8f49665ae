// WebSocketStream.
// @control: none in firefox webkit, only Chromium has it
export default (t) => new WebSocketStream(t.ws('stream')).opened
