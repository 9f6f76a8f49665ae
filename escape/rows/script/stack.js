// An error whose stack names a script elsewhere, reported as an uncaught one.
// @control: none, only open developer tools would ask for the script
export default (t) => {
  const script = document.createElement('script')
  script.textContent = `reportError(new Error('secret'))\n//# sourceURL=${t.http('stack.js')}\n//# debugId=85314830-023f-4cf1-a267-535f4e37bb17`
  document.head.append(script)
}
