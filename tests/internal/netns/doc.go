// Package netns runs a test binary again in a network of its own, so that
// whatever a browser sends to anywhere can be seen, and none of it leaves.
//
// A TestMain calls [Run] in place of m.Run. On Linux the tests then run in new
// network and mount namespaces, as root or through a user namespace: there is the
// loopback interface, one more that leads nowhere, so that programs take the
// machine for connected, and [Resolver] as the only name server, which the test
// has to be. Elsewhere, or where the kernel refuses, they run where they are, and
// [Isolated] tells why.
package netns

// Resolver is the address at which programs in the namespace ask for names.
const Resolver = "127.0.0.53:53"

// Outside is an address of the interface that leads nowhere.
const Outside = "10.77.0.1"

// marker is set for the second run. Its value is what Isolated reports.
const marker = "BELLGLASS_NETNS"
