// Asking which related applications are installed, by the page's own manifest.
// @control: none, only the top page may ask
export default async (t) => {
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = t.https('related.webmanifest')
  document.head.append(link)
  await navigator.getInstalledRelatedApps()
}
