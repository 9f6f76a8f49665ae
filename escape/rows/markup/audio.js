// Sound that is never part of the page.
export default async (t) => {
  const audio = new Audio()
  const done = t.settled(audio, 'loadedmetadata')
  audio.preload = 'auto'
  audio.src = t.http('audio.mp3')
  await done
}
