const { createElement, useState } = React

function Bell() {
  const [rung, ring] = useState(false)
  return createElement('button', { onClick: () => ring(true) }, rung ? 'rung once' : 'ring')
}
ReactDOM.createRoot(document.getElementById('app')).render(createElement(Bell))
