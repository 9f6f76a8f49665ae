$('#app').append($('<button>').text('ring').on('click', async () => {
  const { bells } = await $.getJSON('/bells.json')
  $('#seen').text(`${bells} bells`).hide().show()
}))
