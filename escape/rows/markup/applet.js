// Elements for old plug-ins, with their old attributes.
// @control: none, no browser knows them today
export default (t) => {
  const box = document.createElement('div')
  box.innerHTML = `<applet code="x" archive="${t.http('x.jar')}" codebase="${t.http()}"></applet>
    <object classid="${t.http('class')}" codebase="${t.http('base')}"><param name="src" value="${t.http('param')}"></object>
    <bgsound src="${t.http('bgsound.wav')}"><img dynsrc="${t.http('dynsrc')}" lowsrc="${t.http('lowsrc')}" longdesc="${t.http('longdesc')}">
    <xml src="${t.http('island.xml')}"></xml><layer src="${t.http('layer')}"></layer>`
  document.body.append(box)
}
