package selftest

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/bellglass/bellglass/escape"
)

// Why is the reason why a row did not run, or not to its end. It is a code. The page and the
// command line have the words for it.
type Why string

// The reasons. Those from WhyFailed on concern one run, the others the row itself.
const (
	WhyGesture Why = "gesture" // it needs a click or a drag by hand
	WhyLeaves  Why = "leaves"  // it takes its own page away, and cannot report that it is done
	WhyNothing Why = "nothing" // it arrives in no browser, even without defenses
	WhyCrash   Why = "crash"   // it may end the browser's process
	WhyAnnoys  Why = "annoys"  // it opens windows, downloads, asks, makes sounds, or starts programs
	WhyAway    Why = "away"    // it would speak to other machines
	WhyHeavy   Why = "heavy"   // it exhausts the browser, or takes minutes
	WhyFailed  Why = "failed"  // its page did not reach its end
	WhyEnded   Why = "ended"   // the run ended before it
	WhyChoice  Why = "choice"  // this run was limited to others
)

// Whys has a sentence for each reason.
var Whys = map[Why]string{
	WhyGesture: "It needs a hand: a click, a drag, a pointer at rest.",
	WhyLeaves:  "It takes its own page away, so that it could not say when it is done.",
	WhyNothing: "Nothing arrives in any browser that was tried, defenses or not, so it could prove nothing.",
	WhyCrash:   "It can end the browser's process for the page, and with it everything else here.",
	WhyAnnoys:  "It would open windows, download files, ask you questions, make sounds or start other programs.",
	WhyAway:    "It would speak to other machines, and this test stays on yours.",
	WhyHeavy:   "It wears the browser out, and with it what else runs here, or it takes minutes.",
	WhyFailed:  "Its page did not come to its end.",
	WhyEnded:   "The run ended before its turn.",
	WhyChoice:  "This run was asked to try others only.",
}

// unfit lists the rows that must not run in a visitor's browser, in addition to those whose
// own flags say so.
var unfit = map[Why][]string{
	WhyCrash: {
		"frame/peer", "realm/blank-rtc", "transport/blob-peer", "transport/data-peer", "transport/srcdoc-peer",
	},
	WhyAnnoys: {
		"anchor/scripted-blank", "anchor/scripted-noopener", "api/background-fetch", "api/digital-credential", "api/encrypted-media",
		"api/fedcm", "api/geolocation", "api/idp-login", "api/password", "api/payment-can-make", "api/payment-confirmation",
		"api/protocol-handler", "api/remote-playback", "api/speech-recognition", "api/speech-synthesis", "api/webauthn-create",
		"api/webauthn-get", "breakout/protocol-handlers", "breakout/storage-access", "breakout/storage-sharing", "form/blank",
		"form/mailto", "markup/notification", "navigation/browser-pages", "navigation/download-frame", "navigation/download-local",
		"navigation/external-frame", "navigation/external-mailto", "navigation/frame-name-blank", "navigation/ftp",
		"navigation/open", "navigation/open-guessed-names", "serviceworker/background-fetch", "serviceworker/notification",
		"serviceworker/payment", "transport/devices",
	},
	WhyAway: {
		"api/models", "api/push", "serviceworker/push", "speculation/prefetch-anonymous", "transport/mdns",
	},
	WhyHeavy: {"breakout/session-exhaustion", "breakout/session-ports", "link/dns-names", "link/storm"},
}

// nameless lists rows that cause only a connection or a datagram. The canary attributes these
// by their port, so each row has a page, and thus a port, to itself.
var nameless = []string{
	"answer/link-connect", "link/preconnect-anonymous", "transport/webtransport", "transport/webtransport-hash", "worker/webtransport",
}

// whyNot returns the reason why a row does not run, or "".
func whyNot(r escape.Row) Why {
	for why, names := range unfit {
		if slices.Contains(names, r.Name) {
			return why
		}
	}
	switch {
	case r.Gesture != "":
		return WhyGesture
	case r.Leaves:
		return WhyLeaves
	case r.Apart:
		return WhyHeavy
	case !r.Seldom && len(r.Without) == len(escape.Engines):
		return WhyNothing
	}
	return ""
}

// A plan is what a run does: the batches that run, and the rows that do not.
type plan struct {
	rows    []escape.Row // all, in the order of their names
	fit     []escape.Row // those that run
	batches []escape.Batch
	left    map[string]Why
	known   map[string]escape.Leak // the techniques that are known to get out
}

// makePlan plans a run of all fit rows, or of those whose name matches.
func makePlan(only *regexp.Regexp) (*plan, error) {
	rows, err := escape.Rows()
	if err != nil {
		return nil, fmt.Errorf("reading the techniques: %w", err)
	}
	p := &plan{rows: rows, left: map[string]Why{}}
	for _, r := range rows {
		why := whyNot(r)
		if why == "" && only != nil && !only.MatchString(r.Name) {
			why = WhyChoice
		}
		if why != "" {
			p.left[r.Name] = why
			continue
		}
		p.fit = append(p.fit, r)
	}
	return p, p.forEngine("")
}

// forEngine adds what is known about an engine to the plan. A row that is known to get out has
// a page to itself: its traffic may name nothing, and could otherwise not be attributed.
func (p *plan) forEngine(e escape.Engine) error {
	p.known = nil
	if e != "" {
		known, err := escape.Known(e)
		if err != nil {
			return err
		}
		p.known = known.Leaks
	}
	rows := slices.Clone(p.fit)
	for i, r := range rows {
		_, listed := p.known[r.Name]
		rows[i].Alone = r.Alone || listed || slices.Contains(nameless, r.Name)
	}
	p.batches = escape.Batches(rows)
	return nil
}

// again reports whether a batch is worth another visit: its row is known to get out, and did
// not. Packets of WebRTC may arrive too late for a page, so results from one visit would vary
// between runs.
func (p *plan) again(found []Row) bool {
	return slices.ContainsFunc(found, func(row Row) bool {
		leak, listed := p.known[row.Name]
		return listed && !leak.Sometimes && row.Seen == "" && row.Outcome != NotRun
	})
}
