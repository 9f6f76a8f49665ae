// An XSLT style sheet that includes another one, given to XSLTProcessor.
// @control: none in chromium, the other style sheet must be of the same origin
export default (t) => {
  const sheet = `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:import href="${t.http('import.xsl')}"/><xsl:include href="${t.http('include.xsl')}"/></xsl:stylesheet>`
  new XSLTProcessor().importStylesheet(new DOMParser().parseFromString(sheet, 'text/xml'))
}
