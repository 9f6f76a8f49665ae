// An auction of advertisements whose seller is the canary.
// @control: none, no browser has it for this frame
export default async (t) => {
  const seller = new URL(t.https()).origin
  await navigator.runAdAuction({ seller, decisionLogicURL: t.https('decide.js'), trustedScoringSignalsURL: t.https('score'), interestGroupBuyers: [seller] })
}
