// An OpenSearch description.
// @control: none, only the top page's description is fetched
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'search'
  link.type = 'application/opensearchdescription+xml'
  link.href = t.http('search.xml')
  document.head.append(link)
}
