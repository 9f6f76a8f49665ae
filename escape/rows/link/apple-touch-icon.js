// Icons for home screens.
// @control: none, only the top page's icon is fetched
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'apple-touch-icon apple-touch-icon-precomposed apple-touch-startup-image mask-icon fluid-icon'
  link.href = t.http('touch.png')
  document.head.append(link)
}
