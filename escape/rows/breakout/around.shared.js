// The addresses of what is around a sandbox: the names are fixed, the port is the sandbox's own.
export const id = location.hostname.split('.')[0]
export const outer = `http://sandbox.localhost:${location.port}`
export const host = `http://localhost:${location.port}`

// A sandbox other than this one, as far as its name goes.
export const sibling = location.origin.replace(id, 'a'.repeat(id.length))

// breach says that the row has read or changed something that it must not.
export async function breach(t, what) {
  await fetch(t.http('proof'), { method: 'POST', mode: 'no-cors', body: what }).catch(() => {})
  throw new Error(`BREACH: ${what.slice(0, 200)}`)
}

// turns lets the pages around have many turns: as many requests go to the server and come back.
export async function turns() {
  for (let i = 0; i < 20; i++) await fetch('/batch.js', { cache: 'no-store' })
}

// ask asks for addresses, from the page and from an empty frame, and is a breach when any of them answers.
export async function ask(t, addresses, request = {}) {
  const blank = document.body.appendChild(document.createElement('iframe')).contentWindow
  const answers = []
  for (const realm of [window, blank]) {
    for (const address of addresses) {
      for (const mode of ['cors', 'no-cors']) {
        await realm.fetch(address, { ...request, mode }).then(({ type, status }) => answers.push(`${address} ${mode}: ${type} ${status}`), () => {})
      }
    }
  }
  if (answers.length > 0) await breach(t, answers.join('; '))
}
