// A fetch that may register an attribution source or trigger.
export default async (t) => {
  await fetch(t.http('attribution'), { attributionReporting: { eventSourceEligible: true, triggerEligible: true }, keepalive: true })
}
