// An image by srcset, with a choice by width.
export default async (t) => {
  const img = document.createElement('img')
  const done = t.settled(img)
  img.sizes = '100vw'
  img.srcset = `${t.http('small.png')} 100w, ${t.http('large.png')} 4000w`
  document.body.append(img)
  await done
}
