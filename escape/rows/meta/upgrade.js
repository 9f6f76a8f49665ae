// A policy of a nested document that turns http: into https:, for an image.
export default async (t) => {
  await t.frame((frame) => {
    frame.srcdoc = `<meta http-equiv="Content-Security-Policy" content="upgrade-insecure-requests"><img src="${t.http('upgraded.png')}">`
  })
}
