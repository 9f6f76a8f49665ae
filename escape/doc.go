// Package escape holds hostile code: every technique that is known here of getting
// out of a sandbox, as data for whoever wants to see whether it does. What got out
// is for a canary to say, never for the page.
//
// # A row
//
// Each technique is a file rows/FAMILY/NAME.js: an ES module whose default export
// is an async function. It is a virtual file of the sandbox that it attacks; it
// gets a kit (page/kit.js) with the addresses of a canary host of its own, does
// its worst, and returns when it has done what it can. Its first comment says what
// it tries. Files that a row needs lie beside it, under other names that begin
// with the row's. Lines that begin with "// @" tell the runner what it must know:
//
//	// @alone: why      no other row runs in the same page
//	// @apart: why      it runs in a browser of its own, with other such rows
//	// @leaves: why     it takes the page away, so that it cannot say that it is done
//	// @gesture: KIND   the browser driver makes a gesture in the middle of the view, when
//	//                  the row has called t.gesture(): hover, down, click, ctrl-click,
//	//                  middle-click, shift-click, context, drag or drag-out (which ends
//	//                  beside the view)
//	// @control: none, why
//	//                  without defences nothing arrives either, in ENGINES if they are named:
//	//                  "none in firefox webkit, why". It is listed apart, and proves nothing.
//	//                  "seldom" in place of none: it may arrive.
//
// Rows that need nothing of the kind share a page, up to ten of one family: see [Batches].
//
// # What is known to get out
//
// Of each engine some rows get out although every defence is in force, because the
// engine has nothing that would stop them. [Known] reads the list of an engine.
package escape
