// Addresses of images with credentials, white space and other slashes in them.
export default async (t) => {
  const { host, port } = t
  const spellings = [`//secret:word@${host}:${port}/user`, `http:\\\\${host}:${port}/x`, `\n ht\ttp:/${host}:${port}/white`, `http:////${host}:${port}/slashes`]
  await Promise.all(spellings.map((spelling) => {
    const img = document.createElement('img')
    const done = t.settled(img)
    img.setAttribute('src', spelling)
    return done
  }))
}
