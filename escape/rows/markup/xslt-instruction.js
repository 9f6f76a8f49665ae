// An XML document with a processing instruction that names an XSLT style sheet.
// @control: none in chromium, the style sheet must be of the same origin
export default async (t) => {
  const text = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${t.http('x.xsl')}"?><root/>`
  await t.frame((frame) => { frame.src = URL.createObjectURL(new Blob([text], { type: 'text/xml' })) })
}
