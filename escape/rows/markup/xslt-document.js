// An XSLT style sheet that reads another document while it transforms.
// @control: none in chromium, the other document must be of the same origin
export default (t) => {
  const parse = (text) => new DOMParser().parseFromString(text, 'text/xml')
  const processor = new XSLTProcessor()
  processor.importStylesheet(parse(`<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><out><xsl:copy-of select="document('${t.http('document.xml')}')"/></out></xsl:template></xsl:stylesheet>`))
  processor.transformToFragment(parse('<root/>'), document)
}
