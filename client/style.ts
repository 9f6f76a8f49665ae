// The element's own style. The page's color-scheme chooses between light and dark; the
// page sets size, border, and colors.

export const css = `
:host {
  --ink: var(--bellglass-ink, #1d2733); --quiet: var(--bellglass-quiet, #55616f); --paper: var(--bellglass-paper, #f6f8f9);
  --raised: var(--bellglass-raised, #fff); --line: var(--bellglass-line, #d5dce2); --accent: var(--bellglass-accent, #1f7680); --warn: var(--bellglass-warn, #9a5b00);
  display: block; position: relative; block-size: 24rem; min-inline-size: 0; overflow: hidden;
  background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif;
}
@supports (color: light-dark(red, red)) {
  :host {
    --ink: var(--bellglass-ink, light-dark(#1d2733, #e3e8ee)); --quiet: var(--bellglass-quiet, light-dark(#55616f, #98a4b1));
    --paper: var(--bellglass-paper, light-dark(#f6f8f9, #14191f)); --raised: var(--bellglass-raised, light-dark(#fff, #1b222a));
    --line: var(--bellglass-line, light-dark(#d5dce2, #303a45)); --accent: var(--bellglass-accent, light-dark(#1f7680, #6fc3cc));
    --warn: var(--bellglass-warn, light-dark(#9a5b00, #e0b25f));
  }
}
:host([hidden]), [hidden] { display: none !important; }
[part="stage"], [part="frame"] { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; border: 0; }
[part="frame"] { display: block; }
[part="cover"], [part="failure"] { position: absolute; inset: 0; margin: 0; display: grid; place-content: safe center; justify-items: center; overflow: auto; background: var(--paper); }
[part="cover"] { gap: .6rem; color: var(--quiet); animation: appear .3s .4s both; }
svg { inline-size: 2.75rem; fill: none; stroke: var(--accent); stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
svg .base { stroke-width: 2.25; }
svg .shine { opacity: .45; }
[part="cover"] svg .shine { animation: shine 2.4s ease-in-out infinite; }
[part="card"] {
  box-sizing: border-box; max-inline-size: min(34rem, 100cqi - 2rem); margin: 1rem; padding: 1.35rem 1.6rem;
  background: var(--raised); border: 1px solid var(--line); border-radius: 10px; box-shadow: 0 1px 2px rgb(0 0 0 / .06), 0 8px 24px rgb(0 0 0 / .07);
}
[part="failure"] { container-type: inline-size; }
.head { display: flex; align-items: center; gap: .7rem; margin-block-end: .7rem; }
[part="card"] svg { flex: none; inline-size: 2rem; stroke: var(--warn); }
h2 { margin: 0; font: 600 1.1rem/1.3 system-ui, sans-serif; text-wrap: balance; }
p { margin: 0 0 .5rem; overflow-wrap: anywhere; }
.advice { color: var(--quiet); }
.tail { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; margin-block-start: 1.1rem; }
button { padding: .42rem 1rem; border: 1px solid var(--accent); border-radius: 6px; background: var(--accent); color: var(--raised); font: 600 .95rem/1.4 system-ui, sans-serif; cursor: pointer; }
button:hover { filter: brightness(1.08); }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code { color: var(--quiet); font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
[part="note"] {
  position: absolute; inset-block-start: .6rem; inset-inline: 0; inline-size: fit-content; max-inline-size: calc(100% - 2rem); margin: 0 auto; padding: .3rem .85rem; box-sizing: border-box;
  border: 1px solid var(--line); border-radius: 99px; background: var(--raised); color: var(--warn); font-size: 13px; box-shadow: 0 2px 8px rgb(0 0 0 / .12); pointer-events: none;
}
@container (max-inline-size: 20rem) {
  [part="card"] { max-inline-size: 100cqi; margin: 0; padding: .7rem .9rem; border: 0; border-radius: 0; box-shadow: none; background: none; font-size: 14px; }
  [part="card"] svg { display: none; }
  .head { margin-block-end: .4rem; }
  h2 { font-size: 1rem; }
  .tail { margin-block-start: .7rem; }
}
@keyframes appear { from { opacity: 0; } }
@keyframes shine { 50% { opacity: 1; } }
@media (prefers-reduced-motion: reduce) { [part="cover"], [part="cover"] svg .shine { animation: none; } }
@media (forced-colors: active) { button { border-color: ButtonText; } svg { stroke: CanvasText; } }
`

// cssSized is for an element that is as tall as its document. The attribute overrides
// the page's own height, but not its min-height and max-height.
export const cssSized = ':host { height: auto !important; }'
