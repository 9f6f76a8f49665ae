// The background attribute of a table and of a cell.
export default (t) => {
  const box = document.createElement('div')
  box.innerHTML = `<table background="${t.http('table.png')}"><tr><td background="${t.http('cell.png')}">cell</table>`
  document.body.append(box)
}
