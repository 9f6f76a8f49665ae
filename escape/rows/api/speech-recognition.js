// Speech recognition, which some browsers do by a service.
// @control: none, a frame of another site may not listen
export default async (t) => {
  const recognition = new (globalThis.SpeechRecognition ?? webkitSpeechRecognition)()
  const done = t.settled(recognition, 'end')
  recognition.serviceURI = t.https('recognize')
  recognition.start()
  await done
}
