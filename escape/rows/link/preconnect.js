// A connection that is opened ahead of requests: no request is sent, the connection is the message.
// @alone: the browser opens only so many ahead for one page
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'preconnect'
  link.href = t.http()
  document.head.append(link)
}
