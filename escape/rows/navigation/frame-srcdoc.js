// A srcdoc frame that navigates itself.
export default async (t) => {
  const frame = await t.frame((frame) => { frame.srcdoc = '<p>first</p>' })
  const done = t.settled(frame)
  const script = frame.contentDocument.createElement('script')
  script.textContent = `location = '${t.http('srcdoc')}'`
  frame.contentDocument.body.append(script)
  await done
}
