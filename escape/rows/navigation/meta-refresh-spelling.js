// A meta refresh spelled so that few filters know it: a fraction of a second, a comma, odd case, spaces, a
// quotation mark, and text after it.
// @leaves: the view goes to the canary
export default (t) => {
  document.body.insertAdjacentHTML('beforeend', `<META content="\n 0.99\t, uRl \n =\t'${t.http('refresh')}' and more" http-equiv="ReFreSh">`)
}
