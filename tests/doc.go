// Package tests documents the tests that look at the product from outside. Each family is a
// package of its own, so that you can run it alone:
//
//	go test ./tests/mapping
//
// These families use real browsers. They start the server as a user does, and talk to it over
// HTTP:
//
//   - address: a server at a public address, over TLS and behind proxies;
//   - apiclient: a program with a generated client of the HTTP API;
//   - attack: hostile code in a sandbox, and hostile pages around it;
//   - boot: how a view begins, fails, continues, and ends;
//   - escape: every known way out, in three browsers, in a network of its own;
//   - execute: code that is run on demand;
//   - files: how files are served; benchmarks of a push and a first paint;
//   - library: the browser library, in embedders' pages;
//   - load: storms, limits, and changes that race with loads;
//   - mapping: each browser enforces a policy as it is written;
//   - mcp: MCP Apps and BTCP;
//   - npmpackage: the npm package, in a project that installs it.
//
// These families need no browser:
//
//   - agree: the four places that decide a request decide alike;
//   - house: which package may import which, and the style of the sources;
//   - types: the TypeScript compiler accepts every project.
//
// The families share the packages in tests/internal. glass starts a server and shows a sandbox
// in a browser. browser, firefox, and webkit each drive one browser for the whole test binary.
// devtools drives a Chromium that attaches to no worker. canary records what escaped, and it
// alone decides that. apps is the table of real applications that run in a sandbox, and npm
// fetches their packages. `go run ./tests/install` installs what the tests need on a new
// machine.
//
// All tests follow these rules. The test of a block has a positive control: the same request
// arrives without the defense. No test sleeps, is skipped, or uses the internet.
package tests
