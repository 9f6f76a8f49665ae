// A csp attribute that names a place for reports, around a page that violates it.
// @control: none, a policy in the attribute may not report (CSP Embedded Enforcement)
export default (t) => t.frame((frame) => {
  frame.setAttribute('csp', `default-src 'none'; report-uri ${t.http('report')}`)
  frame.srcdoc = '<img src="/x.png"><script>1</script>'
})
