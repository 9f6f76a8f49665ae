// Frames with addresses that belong to applications outside the browser.
// @control: none in chromium firefox, the addresses go to applications, which a test machine lacks
export default (t) => {
  const schemes = [
    'mailto:a@', 'tel:+1-', 'sms:', 'ssh://', 'sftp://', 'rtsp://', 'vnc://', 'rdp://full%20address=s:',
    'magnet:?tr=http://', 'web+bellglass:', 'ms-word:ofe|u|http://', 'search-ms:query=x&crumb=location:\\\\', 'steam://openurl/http://', 'zoommtg://',
  ]
  for (const scheme of schemes) {
    const frame = document.createElement('iframe')
    frame.src = `${scheme}${t.host}:${t.port}/x`
    document.body.append(frame)
  }
}
