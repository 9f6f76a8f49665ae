// Downloads of a data: and of a blob: address, whose content names the canary.
// @alone: downloads
// @control: none, the browser has all of it already
export default (t) => {
  const page = `<meta http-equiv="refresh" content="0;url=${t.http('download')}">`
  for (const url of [`data:text/html,${encodeURIComponent(page)}`, URL.createObjectURL(new Blob([page], { type: 'text/html' }))]) {
    const link = document.createElement('a')
    link.href = url
    link.download = `${t.name}.html`
    link.click()
  }
}
