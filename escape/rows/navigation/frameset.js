// A frameset, whose frame goes to the canary.
export default async (t) => {
  await t.frame((frame) => { frame.srcdoc = `<frameset><frame src="${t.http('frameset')}"></frameset>` })
}
