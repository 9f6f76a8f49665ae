// The page that sends on to a folder's address holds that address; here it holds markup and another refresh.
// @control: none, the browser has escaped the quotation marks before the page is written
export default (t) => t.frame((frame) => {
  frame.src = `${t.file('folder-markup.inner')}?"><meta http-equiv=refresh content="0;url=${t.http('folder')}">&quot;><img src=${t.http('image')}>`
})
