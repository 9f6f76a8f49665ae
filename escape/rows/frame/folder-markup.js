// The page that redirects to a folder contains its address, which contains markup and another refresh.
// @control: none, the browser has escaped the quotation marks before the page is written
export default (t) => t.frame((frame) => {
  frame.src = `${t.file('folder-markup.inner')}?"><meta http-equiv=refresh content="0;url=${t.http('folder')}">&quot;><img src=${t.http('image')}>`
})
