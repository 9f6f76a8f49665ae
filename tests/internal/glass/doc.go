// Package glass runs the product for a test and shows it in a browser.
//
// [Start] serves until the test ends, [StartBehind] with something of the test's own in
// front of the server. [Server.NewSandbox] makes a sandbox of texts and a policy, and
// [Server.Open] shows it in Chromium as a [View]. [Engines] open a page in each browser.
// [Server.Request] asks as a browser asks, and [Server.Log] reads a sandbox's events.
//
// The browsers start when a test first asks for one, and end with [Main], which is the
// TestMain of each package with browsers:
//
//	func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }
//
// A helper is here if several families of tests need it.
package glass
