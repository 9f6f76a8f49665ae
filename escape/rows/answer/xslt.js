// An XML document whose XSLT style sheet is an allowed host's and includes another.
// @control: none in chromium, the style sheet must be of the same origin
export default async (t) => {
  const body = `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:include href="${t.http('include.xsl')}"/></xsl:stylesheet>`
  const sheet = t.allowed(`answer?${new URLSearchParams({ type: 'text/xsl', body })}`).replaceAll('&', '&amp;')
  const text = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${sheet}"?><root/>`
  await t.frame((frame) => { frame.src = URL.createObjectURL(new Blob([text], { type: 'text/xml' })) })
}
