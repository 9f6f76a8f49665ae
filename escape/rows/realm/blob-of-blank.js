// A blob frame whose blob was made in an empty frame.
import { tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  const blank = document.body.appendChild(document.createElement('iframe')).contentWindow
  await t.frame((frame) => { frame.src = blank.URL.createObjectURL(new blank.Blob([`<script>${source}</script>`], { type: 'text/html' })) })
  await over
}
