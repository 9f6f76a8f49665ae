// Replacing style sheets in place. A new link loads before the old one goes, so that the page
// is never without its sheet. The link's address gets a query, because a browser may load the
// same address only once for a document.
import type { Update } from '../protocol/protocol.gen'

const mark = 'bellglass' // the query parameter

const { fetch } = window

// replaced has the path of each file that was replaced in this document.
const replaced = new Set<string>()

// replacing returns a function that replaces the changed files. It returns undefined unless
// each of them is certainly a style sheet of this document, from a link or imported by one,
// and no frame in the document can use it. The function's promise rejects if the browser has
// not loaded the new contents. Call the function once the worker answers from the revision.
export function replacing({ revision, changed }: Update): (() => Promise<void>) | undefined {
  // Scripts use the class names of a CSS module, and its module contains the style sheet.
  if (hasFrames() || changed.some((path) => path.endsWith('.module.css'))) return undefined
  const links = new Set<HTMLLinkElement>()
  const used = new Set<string>()
  for (const { sheet, owner } of sheets()) {
    const path = pathOf(sheet)
    if (!changed.includes(path)) continue
    // A link with the hash of the old content cannot load the new one.
    if (!(owner instanceof HTMLLinkElement) || owner.integrity !== '') return undefined
    links.add(owner)
    used.add(path)
  }
  if (changed.some((path) => !used.has(path))) return undefined
  return async () => {
    for (const path of changed) replaced.add(path)
    await Promise.all([...links].map((link) => replace(link, revision)))
  }
}

async function replace(link: HTMLLinkElement, revision: number): Promise<void> {
  const next = link.cloneNode() as HTMLLinkElement
  const url = new URL(link.href)
  url.searchParams.set(mark, String(revision))
  next.href = url.href
  const loaded = new Promise<void>((resolve, reject) => {
    next.addEventListener('load', () => resolve(), { once: true })
    next.addEventListener('error', () => reject(new Error(`${url.href} did not load`)), { once: true })
  })
  link.after(next)
  await loaded
  if (next.sheet === null) throw new Error(`${url.href} is no style sheet`)
  await Promise.all(treeOf(next.sheet).slice(1).map(verify))
  next.sheet.disabled = link.sheet?.disabled === true
  link.remove()
}

// verify compares an imported sheet with its file. Its address is the same as before, and
// Firefox 140 takes the old sheet.
async function verify(sheet: CSSStyleSheet): Promise<void> {
  if (sheet.href === null || !replaced.has(pathOf(sheet))) return
  const response = await fetch(sheet.href, { cache: 'no-store' })
  const file = new CSSStyleSheet({ baseURL: sheet.href })
  file.replaceSync(await response.text())
  if (textOf(file) !== textOf(sheet)) throw new Error(`${sheet.href} is an old sheet`)
}

// A constructed sheet has no imports.
function textOf(sheet: CSSStyleSheet): string {
  return rulesOf(sheet).filter((rule) => !(rule instanceof CSSImportRule)).map(({ cssText }) => cssText).join('\n')
}

interface Used {
  readonly sheet: CSSStyleSheet
  // owner has loaded the sheet, or the sheet that imports it.
  readonly owner: Element | ProcessingInstruction | null
}

// sheets returns all sheets of the document and of its open shadow roots.
function sheets(): readonly Used[] {
  const found: Used[] = []
  const search = (root: Document | ShadowRoot): void => {
    for (const top of root.styleSheets) for (const sheet of treeOf(top)) found.push({ sheet, owner: top.ownerNode })
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot !== null) search(shadowRoot)
  }
  search(document)
  return found
}

// treeOf returns a sheet and those that it imports.
function treeOf(sheet: CSSStyleSheet): CSSStyleSheet[] {
  const imported = rulesOf(sheet).map((rule) => (rule instanceof CSSImportRule ? rule.styleSheet : null))
  return [sheet, ...imported.flatMap((each) => (each === null ? [] : treeOf(each)))]
}

// rulesOf returns no rules for a sheet of another origin.
function rulesOf(sheet: CSSStyleSheet): readonly CSSRule[] {
  try {
    return Array.from(sheet.cssRules)
  } catch {
    return []
  }
}

// pathOf returns the path of the sheet's file, or '' if it is no file of the sandbox.
function pathOf({ href }: CSSStyleSheet): string {
  if (href === null) return ''
  const { origin, pathname } = new URL(href)
  try {
    return origin === location.origin ? decodeURIComponent(pathname) : ''
  } catch {
    return ''
  }
}

// hasFrames reports whether a frame in the document shares its origin.
export function hasFrames(): boolean {
  for (let i = 0; i < window.length; i++) {
    try {
      if (window[i]?.document !== undefined) return true
    } catch {
      // It is of another origin.
    }
  }
  return false
}
