// A PDF document that asks for an address as soon as it is open.
// @control: none, the viewers of browsers do no such thing
export default async (t) => {
  const pdf = `%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R /OpenAction <</S /URI /URI (${t.http('open')})>> /AA <</WC <</S /SubmitForm /F (${t.http('submit')})>>>>>> endobj
2 0 obj <</Type /Pages /Count 1 /Kids [3 0 R]>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /AA <</O <</S /GoToR /F (${t.http('remote.pdf')}) /D [0 /Fit]>>>>>> endobj
trailer <</Root 1 0 R>>
%%EOF`
  const embed = document.createElement('embed')
  const done = t.settled(embed)
  embed.type = 'application/pdf'
  embed.src = URL.createObjectURL(new Blob([pdf], { type: 'application/pdf' }))
  document.body.append(embed)
  await done
}
