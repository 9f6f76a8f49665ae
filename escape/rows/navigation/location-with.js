// document.location, set through a "with" statement in sloppy code, where no script names the property's owner.
// @leaves: the view goes to the canary
export default (t) => {
  const script = document.createElement('script')
  script.textContent = `with (document) with ({ target: '${t.http('with')}' }) location = target`
  document.body.append(script)
}
