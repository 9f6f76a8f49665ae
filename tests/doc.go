// Package tests is the map of the tests that look at the product from outside. A family is a
// package of its own, so that you can run it alone:
//
//	go test ./tests/mapping
//
// In real browsers, with the server started as a user starts it and looked at over HTTP:
//
//   - address: a server at a public address, over TLS and behind proxies;
//   - apiclient: a program with a generated client of the HTTP API;
//   - attack: hostile code in a sandbox, and hostile pages around it;
//   - boot: how a view begins, fails, goes on and ends;
//   - escape: every known way out, in three browsers, in a network of its own;
//   - execute: code that is run on demand;
//   - files: how files are served; benchmarks of a push and a first paint;
//   - library: the browser library, for pages of others;
//   - load: storms, limits, and changes that race with loads;
//   - mapping: a policy means in each browser what it says;
//   - mcp: MCP Apps and BTCP.
//
// Without a browser:
//
//   - agree: the four places that decide a request decide alike;
//   - house: which package may import which, and the style of the sources;
//   - types: the TypeScript compiler accepts every project.
//
// What the families share is in tests/internal: glass starts a server and shows a sandbox
// in a browser, browser, firefox and webkit drive one browser each for the whole test binary,
// devtools drives a Chromium that is attached to no worker, canary records what escaped (and
// alone decides it), apps is the table of real applications that run in a sandbox, npm fetches
// what they consist of. A fresh machine gets what the tests need by `go run ./tests/install`.
//
// Habits: a test of something that is blocked has a positive control, the same request
// arriving without the defense. Nothing sleeps, nothing is skipped, nothing goes to the
// internet.
package tests
