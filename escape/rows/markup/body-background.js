// The background attribute of a page's body, which is a second body's here.
export default async (t) => {
  await t.frame((frame) => { frame.srcdoc = `<body background="${t.http('body.png')}">text` })
}
