(0, eval)(new URLSearchParams(location.search).get('source'))
