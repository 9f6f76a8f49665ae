// Links that are in the markup of a frame as it is parsed, where a preload scanner sees them first.
export default async (t) => {
  await t.frame((frame) => {
    frame.srcdoc = `<link rel="preconnect" href="${t.http()}"><link rel="dns-prefetch" href="${t.http()}"><link rel="preload" as="image" href="${t.http('preload.png')}">`
  })
}
