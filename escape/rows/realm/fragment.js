// A fragment that a range has parsed, the one way by which a script in markup runs later.
export default async (t) => {
  const fragment = document.createRange().createContextualFragment(`<script src="${t.http('script.js')}"></script>`)
  const done = t.settled(fragment.firstChild)
  document.body.append(fragment)
  await done
}
