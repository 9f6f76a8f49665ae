// Package canary is the server whose record decides whether something got out
// of a sandbox. What the page says about its own requests decides nothing.
//
// [Start] opens it on the loopback addresses. Each attempt to get out has a
// token of its own, and everything that arrives is a [Hit] under its token:
//
//   - over HTTP and WebSocket the token is the first segment of the path
//     ([Canary.URL], [Canary.WebSocketURL], [Canary.Redirect]);
//   - where nothing readable need arrive (preconnect, a TLS hello, TURN over
//     TCP) the token has a port of its own: [Canary.TCP] and [Canary.UDP];
//   - where the address itself is under test and has no room for a token, the
//     browser takes every name and port to [Canary.Anywhere]; [Canary.All] with
//     [Hit.URL] and the headers then say what came from which page;
//   - in a network namespace each token of a [Network] has a name and an address, so
//     that a lookup, a bare connection and a datagram are attributed too.
//
// A hit is recorded at its first sign: a connection when it is accepted, a
// request when its headers are read. It answers everything and allows
// everything (CORS, embedding), so that only the defence under test can be the
// reason why something did not arrive. [Canary.Answer] makes it answer something
// else, such as the page under test.
//
// # Proving that nothing arrived
//
// "No hits" means something only after two barriers, and neither is a pause:
//
//  1. The attempt must have had its chance. Let the page await what it can, and
//     then make a control request by the same technique, from the same realm,
//     to a token that is allowed; [Canary.Wait] for that one. It was made later
//     and took the same way through the browser. And the same attempt without
//     the defence must arrive, in the same test.
//  2. What was sent must have been read. Close the page's browser context and
//     call [Canary.Quiesce]. The senders' sockets are closed then, so each
//     connection ends in an EOF behind its last byte, which Quiesce waits for;
//     and its own connection and datagram, made later, stand behind every
//     earlier one in the kernel's queues, which are first in, first out.
//
// Barrier 2 is exact. Barrier 1 is an argument about order inside the browser;
// it cannot cover a request that a page was told to make later, by a timer or
// on unload: await the timer, close the page, then go on.
package canary
