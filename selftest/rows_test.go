package selftest

import (
	"regexp"
	"testing"

	"github.com/bellglass/bellglass/escape"
)

// An unfit row that does not exist may mean that a row was renamed and now runs.
func TestUnfitRowsExist(t *testing.T) {
	rows, err := escape.Rows()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, r := range rows {
		known[r.Name] = true
	}
	for _, name := range nameless {
		if !known[name] {
			t.Errorf("%s is nameless, and does not exist", name)
		}
	}
	seen := map[string]Why{}
	for why, names := range unfit {
		if Whys[why] == "" {
			t.Errorf("%q has no words", why)
		}
		for _, name := range names {
			if !known[name] {
				t.Errorf("%s is unfit (%s), and does not exist", name, why)
			}
			if seen[name] != "" {
				t.Errorf("%s is unfit twice, by %s and %s", name, seen[name], why)
			}
			seen[name] = why
		}
	}
}

// annoying matches what a row that runs in a visitor's browser must not contain, unless the
// row is in lookedAt.
var annoying = regexp.MustCompile(`\bprint\(\)|\balert\(|\bconfirm\(|\bprompt\(|showModal|\.download\b|registerProtocolHandler|mailto:|tel:|intent:|getUserMedia|getDisplayMedia|requestPermission|speechSynthesis|_blank|(^|[^.\w])open\(|window\.open\(|_top|show\w+FilePicker|requestDevice|requestPort|requestFullscreen|credentials\.(get|create)|PaymentRequest|geolocation`)

var lookedAt = map[string]string{
	"navigation/frame-named": "open() with the name of a frame of its own",
	"realm/named":            "open() with the name of a frame of its own",
}

func TestNothingAnnoysTheVisitor(t *testing.T) {
	p, err := makePlan(nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, b := range p.batches {
		files, err := b.Files(escape.Target{Host: func(escape.Row) (string, string) { return "host", "address" }})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range b.Rows {
			rows++
			source := string(files[r.Module()])
			if found := annoying.FindString(source); found != "" && lookedAt[r.Name] == "" {
				t.Errorf("%s uses %q: should it run in a visitor's browser? If not, name it in unfit; if so, in lookedAt", r.Name, found)
			}
			if r.Leaves || r.Gesture != "" {
				t.Errorf("%s leaves its page or needs a gesture, and runs", r.Name)
			}
		}
	}
	if rows+len(p.left) != len(p.rows) || rows < 250 {
		t.Errorf("%d rows run and %d do not, of %d", rows, len(p.left), len(p.rows))
	}
	t.Logf("%d rows in %d pages", rows, len(p.batches))
}

func TestOnly(t *testing.T) {
	p, err := makePlan(regexp.MustCompile(`^fetch/(no-cors|xhr)$`))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.batches) != 1 || len(p.batches[0].Rows) != 2 || p.left["css/background"] != WhyChoice || p.left["frame/peer"] != WhyCrash {
		t.Errorf("%d batches, css/background is left out by %q, frame/peer by %q", len(p.batches), p.left["css/background"], p.left["frame/peer"])
	}
}
