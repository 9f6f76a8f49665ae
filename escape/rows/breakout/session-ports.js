// Session exhaustion: hundreds of ports for the outer frame, as if each were a document's, and then a request.
// @alone: exhausts the outer frame
export default async (t) => {
  for (let i = 0; i < 500; i++) parent.postMessage({ kind: 'hello', protocol: 1 }, '*', [new MessageChannel().port1])
  await fetch(t.http('after'), { mode: 'no-cors' })
}
