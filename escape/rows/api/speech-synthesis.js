// Text and SSML with an address in it, spoken by a voice that may be a service.
// @control: none, voices that are services take no addresses
export default (t) => {
  const text = `<?xml version="1.0"?><speak version="1.1" xmlns="http://www.w3.org/2001/10/synthesis"><lexicon uri="${t.http('lexicon')}"/><audio src="${t.http('speech.wav')}">secret</audio></speak>`
  const voices = speechSynthesis.getVoices()
  for (const voice of [null, ...voices.filter((voice) => !voice.localService)]) {
    const utterance = new SpeechSynthesisUtterance(text)
    utterance.voice = voice
    speechSynthesis.speak(utterance)
  }
}
