// Models that the browser downloads when a page wants one.
// @control: none, a browser asks at most its own vendor
export default async () => {
  const wanted = [
    globalThis.LanguageModel?.create(),
    globalThis.Translator?.create({ sourceLanguage: 'en', targetLanguage: 'de' }),
    globalThis.LanguageDetector?.create(),
    globalThis.Summarizer?.create(),
  ]
  await Promise.any(wanted.filter(Boolean))
}
