// The canary's address in spellings that a naive filter would read otherwise.
export default async (t) => {
  const { host, port } = t
  const first = host.charCodeAt(0)
  const spellings = [
    `//${host}:${port}/relative`,
    `\\\\${host}:${port}\\backslashes`,
    `http:\\/${host}:${port}/mixed`,
    `HTTP://${host.toUpperCase()}:${port}/capitals`,
    ` \tht\ntp://${host}:${port}/white`,
    `http://${host}.:${port}/dot`,
    `http://%${first.toString(16)}${host.slice(1)}:${port}/percent`,
    `http://${String.fromCodePoint(first + 0xfee0)}${host.slice(1)}:${port}/wide`, // IDNA maps it to ASCII
    `http://${host.replaceAll('.', '\u3002')}:0${port}/stops`,
  ]
  await Promise.allSettled(spellings.map((url) => fetch(url, { mode: 'no-cors' })))
}
