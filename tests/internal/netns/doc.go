// Package netns runs a test binary again in a separate network, so that everything a
// browser sends anywhere can be seen, and none of it leaves.
//
// A TestMain calls [Run] instead of m.Run. On Linux the tests then run in new network
// and mount namespaces, as root or through a user namespace. They have the loopback
// interface, a second interface that leads nowhere, so that programs believe that the
// machine is connected, and [Resolver] as the only name server, which the test has to
// provide. Elsewhere, or if the kernel refuses, the tests run in the usual network, and
// [Isolated] returns why.
package netns

// Resolver is the address of the name server in the namespace.
const Resolver = "127.0.0.53:53"

// Outside is an address of the interface that leads nowhere.
const Outside = "10.77.0.1"

// marker is set for the second run. Its value is what Isolated reports.
const marker = "BELLGLASS_NETNS"
