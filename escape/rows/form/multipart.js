// A multipart form with a file that the script has made.
// @leaves: the view goes to the canary
export default (t) => {
  const form = document.createElement('form')
  form.method = 'post'
  form.enctype = 'multipart/form-data'
  form.action = t.http('multipart')
  form.innerHTML = '<input type="file" name="secret">'
  const files = new DataTransfer()
  files.items.add(new File(['word'], 'secret.txt'))
  form.firstChild.files = files.files
  document.body.append(form)
  form.submit()
}
