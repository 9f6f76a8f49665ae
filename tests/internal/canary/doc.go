// Package canary is the server whose record decides whether something got out of a
// sandbox. What the page says about its own requests decides nothing.
//
// [Start] starts it on the loopback addresses. Each attempt to get out has its own
// token, and everything that arrives is a [Hit] under its token:
//
//   - Over HTTP and WebSocket the token is the first segment of the path ([Canary.URL],
//     [Canary.WebSocketURL], [Canary.Redirect]).
//   - If nothing readable has to arrive (preconnect, a TLS hello, TURN over TCP), the
//     token has its own port: [Canary.TCP] and [Canary.UDP].
//   - If the address itself is under test and has no room for a token, the browser maps
//     every name and port to [Canary.Anywhere]. [Canary.All] with [Hit.URL] and the
//     headers then say what came from which page.
//   - In a network namespace each token of a [Network] has a name and an address, so
//     that lookups, bare connections, and datagrams are attributed too.
//
// A hit is recorded at its first sign: a connection when it is accepted, a request when
// its headers have been read. The canary answers everything and allows everything
// (CORS, embedding), so that only the defense under test can be the reason why
// something did not arrive. [Canary.Answer] replaces an answer, for example by the page
// under test.
//
// # Proving that nothing arrived
//
// "No hits" means something only after two barriers. Neither is a pause:
//
//  1. The attempt must have had its chance. Let the page await what it can. Then make a
//     control request by the same technique, from the same realm, to a token that is
//     allowed, and call [Canary.Wait] for it. It was made later and took the same way
//     through the browser. In the same test, the same attempt without the defense must
//     arrive.
//  2. Everything that was sent must have been read. Close the page's browser context
//     and call [Canary.Quiesce]. The senders' sockets are closed then, so each
//     connection ends in an EOF after its last byte, which Quiesce waits for. Quiesce's
//     own connection and datagram were made later. The kernel's queues are first in,
//     first out, so every earlier one is ahead of them.
//
// Barrier 2 is exact. Barrier 1 is an argument about order inside the browser. It
// cannot cover a request that a page was told to make later, by a timer or on unload:
// await the timer, or close the page, first.
package canary
