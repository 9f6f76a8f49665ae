// An XML document with a DTD and an entity that are elsewhere.
// @control: none, browsers read no external entities
export default async (t) => {
  const text = `<?xml version="1.0"?><!DOCTYPE root SYSTEM "${t.http('x.dtd')}" [<!ENTITY % p SYSTEM "${t.http('p.ent')}"> %p; <!ENTITY e SYSTEM "${t.http('e.ent')}">]><root>&e;</root>`
  new DOMParser().parseFromString(text, 'text/xml')
  await t.frame((frame) => { frame.src = URL.createObjectURL(new Blob([text], { type: 'text/xml' })) })
}
