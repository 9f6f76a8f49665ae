// Shows what the drawing was refused. Every text here comes from untrusted code.
const list = document.getElementById('blocks')
const note = document.getElementById('note')
const most = 50 // rows: the drawing controls how much it tries
const source = new EventSource(list.dataset.events)
source.onmessage = (message) => {
  const { Target, Reason } = JSON.parse(message.data)
  const row = document.createElement('li')
  const target = document.createElement('code')
  const reason = document.createElement('span')
  target.textContent = Target
  reason.textContent = Reason
  row.append(target, reason)
  list.append(row)
  while (list.children.length > most) list.firstElementChild.remove()
  note.hidden = true
}
// After a reconnect the service sends everything again.
source.onopen = () => list.replaceChildren()
