// A console message that is styled with an image.
// @control: none, only open developer tools would show it
export default (t) => {
  console.log('%cstyled', `background: url(${t.http('console.png')}); content: url(${t.http('content.png')})`)
}
