// Data-URL navigation of a nested frame, whose document then goes on to the canary.
export default (t) => t.frame((frame) => { frame.src = `data:text/html,${encodeURIComponent(`<script>location = '${t.http('data')}'</script>`)}` })
