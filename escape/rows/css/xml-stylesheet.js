// An XML document with a processing instruction that names a style sheet.
export default async (t) => {
  const text = `<?xml version="1.0"?><?xml-stylesheet type="text/css" href="${t.http('xml.css')}"?><root/>`
  await t.frame((frame) => { frame.src = URL.createObjectURL(new Blob([text], { type: 'text/xml' })) })
}
