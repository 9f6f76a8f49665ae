// Package escape holds hostile code: every known technique for getting out of a
// sandbox, as data for anyone who wants to test one. Only a canary decides what got
// out, never the page.
//
// # A row
//
// Each technique is a file rows/FAMILY/NAME.js: an ES module whose default export is an
// async function. It is a virtual file of the sandbox that it attacks. It receives a
// kit (page/kit.js) with the addresses of its own canary host, does its worst, and
// returns when it has tried everything. Its first comment says what it tries. Files
// that a row needs are beside it, under names that begin with the row's. Lines that
// begin with "// @" instruct the runner:
//
//	// @alone: why      no other row runs in the same page
//	// @apart: why      it runs in a browser of its own, with other such rows
//	// @leaves: why     it replaces the page, so it cannot report that it is done
//	// @gesture: KIND   the driver makes a gesture in the middle of the view once the row has
//	//                  called t.gesture(): hover, down, click, ctrl-click, middle-click,
//	//                  shift-click, context, drag or drag-out (which ends beside the view)
//	// @control: none, why
//	//                  nothing arrives even without defenses, in any engine or in those
//	//                  named: "none in firefox webkit, why". The row is listed separately,
//	//                  and proves nothing. With "seldom" instead of none it may arrive.
//
// Other rows share a page, up to ten of one family: see [Batches].
//
// # What is known to get out
//
// In each engine some rows get out although every defense is in force, because the
// engine has nothing that would stop them. [Known] returns an engine's list.
package escape
