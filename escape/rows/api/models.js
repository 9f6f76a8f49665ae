// Models that the browser downloads when a page wants one.
// @control: none, what is asked is the browser's maker, if anybody
export default async () => {
  const wanted = [
    globalThis.LanguageModel?.create(),
    globalThis.Translator?.create({ sourceLanguage: 'en', targetLanguage: 'de' }),
    globalThis.LanguageDetector?.create(),
    globalThis.Summarizer?.create(),
  ]
  await Promise.any(wanted.filter(Boolean))
}
