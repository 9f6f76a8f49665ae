// An intent: address of Android, with the canary as what the browser falls back to.
// @leaves: a browser on Android goes to the canary
// @control: none in chromium firefox, only browsers on Android know the scheme
export default (t) => {
  location.href = `intent://${t.host}/#Intent;scheme=bellglass;package=org.example.none;S.browser_fallback_url=${encodeURIComponent(t.http('intent'))};end`
}
