// Package glass runs the product for a test and shows it in a browser.
//
// [Start] serves until the test ends, [StartBehind] with a handler of the test's in
// front. [Server.NewSandbox] creates a sandbox from texts and a policy, and
// [Server.Open] shows it in Chromium as a [View]. [Engines] open a page in each
// browser. [Server.Request] sends a request as a browser does, and [Server.Log] reads a
// sandbox's events.
//
// The browsers start on first use, and end with [Main], which is the TestMain of each
// package with browsers:
//
//	func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }
//
// A helper belongs here if several families of tests need it.
package glass
