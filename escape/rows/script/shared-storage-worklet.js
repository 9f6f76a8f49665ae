// A shared storage worklet, of this origin with a module from elsewhere and of the other origin.
// @control: none, no browser has shared storage for this frame
export default async (t) => {
  await Promise.any([
    sharedStorage.worklet.addModule(t.http('worklet.js')),
    sharedStorage.createWorklet(t.https('created.js'), { dataOrigin: 'script-origin' }),
  ])
}
