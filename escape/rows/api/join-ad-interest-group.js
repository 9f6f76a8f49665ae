// An interest group of the canary's, and one of our own that names the canary.
// @control: none, no browser has it for this frame
export default async (t) => {
  const at = (owner, path) => new URL(path, owner).href
  const group = (owner) => ({
    owner, name: 'secret', biddingLogicURL: at(owner, '/bid.js'), updateURL: at(owner, '/update'), trustedBiddingSignalsURL: at(owner, '/signals'),
    ads: [{ renderURL: t.https('ad.html') }],
  })
  await Promise.any([t.https(), location.origin].map((owner) => navigator.joinAdInterestGroup(group(new URL(owner).origin), 1000)))
}
