// Worklets for layout and animation.
// @control: none, no browser has them without a flag
export default async (t) => {
  await Promise.any([CSS.layoutWorklet, CSS.animationWorklet].filter(Boolean).map((worklet) => worklet.addModule(t.http('worklet.js'))))
}
