// A fetch that says in which address space its target is, as a local network
// access check would ask for.
export default async (t) => {
  await fetch(t.http('address-space'), { targetAddressSpace: 'loopback' })
}
