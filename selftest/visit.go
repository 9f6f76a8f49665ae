package selftest

import (
	"cmp"
	"fmt"

	"github.com/bellglass/bellglass/escape"
)

// A Column says whether a page's techniques run under glass.
type Column string

const (
	UnderGlass   Column = "glass"
	WithoutGlass Column = "control"
)

// columns maps each column to the letter that distinguishes its names.
var columns = map[Column]string{UnderGlass: "g", WithoutGlass: "c"}

// A visit is one page: a batch of techniques in one column, with its own port for whatever
// gets out.
type visit struct {
	id      string
	column  Column
	batch   escape.Batch
	trap    *trap
	tokens  map[string]string // of the techniques, by name
	sandbox string            // ID of the sandbox, if under glass
	url     string            // the address that the frame loads

	// done is closed when the page has reached its end or cannot. failed is then "" or the
	// reason.
	done   chan struct{}
	failed string
}

const glassPolicy = `version: 1
scripts: [inline, eval, wasm, blob]
rules:
  - id: allowed
    allow: %s/**
  - id: signal
    allow: %s/*
    types: [fetch]
`

// open makes a visit: its port, its files, and its sandbox or origin.
func (r *Run) open(number int, b escape.Batch, column Column) (v *visit, err error) {
	letter := columns[column]
	v = &visit{id: fmt.Sprintf("%s%d", letter, number), column: column, batch: b, tokens: map[string]string{}, done: make(chan struct{})}
	var tokens []string
	for i, row := range b.Rows {
		token := fmt.Sprintf("r%dx%d%s%s", number, i, letter, r.suffix)
		v.tokens[row.Name], tokens = token, append(tokens, token)
	}
	if v.trap, err = openTrap(r.certificate, tokens); err != nil {
		return nil, err
	}
	signal := v.id + "s" + r.suffix
	files, err := b.Files(escape.Target{
		Port: v.trap.port, Allowed: r.plain.origin(r.plain.allowed), Signal: r.plain.origin(signal),
		Host: func(row escape.Row) (name, address string) { return v.tokens[row.Name] + domain, "127.0.0.1" },
	})
	if err != nil {
		return v, err
	}
	r.plain.await(signal, func(ends []end) { r.pageDone(v, ends) })
	if column == WithoutGlass {
		origin := v.id + "p" + r.suffix
		r.plain.show(origin, files)
		v.url = r.plain.origin(origin) + "/"
		return v, nil
	}
	v.sandbox, v.url, err = r.glass.Sandbox("self-test "+b.Name, files, fmt.Sprintf(glassPolicy, r.plain.origin(r.plain.allowed), r.plain.origin(signal)))
	return v, err
}

// gone returns the address that clears what a page of the control has stored, or "".
func (v *visit) gone() string {
	if v.column == UnderGlass {
		return ""
	}
	return v.url[:len(v.url)-1] + gonePath
}

// close releases what a visit has open, except its port, which listens until the run ends.
func (r *Run) close(v *visit) {
	if v.sandbox != "" {
		r.glass.Remove(v.sandbox)
	}
}

// pageDone handles a page's report that it is done.
func (r *Run) pageDone(v *visit, ends []end) {
	if len(ends) != len(v.batch.Rows) {
		r.fail(v, fmt.Sprintf("the page says how %d techniques ended, and has %d", len(ends), len(v.batch.Rows)))
		return
	}
	r.fail(v, "")
}

// fail ends a visit, with an error or, if why is "", successfully. Only the first call counts.
func (r *Run) fail(v *visit, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-v.done:
	default:
		v.failed = why
		close(v.done)
	}
}

// results judges the rows of a batch by what the ports of both visits have seen so far, and by
// what is known to get out.
func results(glass, control *visit, known map[string]escape.Leak) []Row {
	rows := make([]Row, 0, len(glass.batch.Rows))
	alone := len(glass.batch.Rows) == 1
	for _, technique := range glass.batch.Rows {
		under, without := seenBy(glass, technique.Name, alone), seenBy(control, technique.Name, alone)
		row := Row{Name: technique.Name, Seen: under.seen, Control: without.seen}
		switch {
		case under.seen != "":
			row.Outcome, row.Detail = Escaped, under.first
			if leak, listed := known[technique.Name]; listed && leak.Beyond(under.seen.signs()) == "" {
				row.Outcome = KnownOpen
			}
		case glass.failed != "":
			row.Outcome, row.Why, row.Detail = NotRun, WhyFailed, clip(glass.failed, maxDetail)
		case without.seen == "":
			row.Outcome = Unproven
		default:
			row.Outcome = Contained
		}
		rows = append(rows, row)
	}
	return rows
}

// seenBy returns what a visit's port has seen of a technique. If the technique had the port to
// itself, arrivals without a name are its own.
func seenBy(v *visit, name string, alone bool) record {
	r := v.trap.of(v.tokens[name])
	if alone {
		strays := v.trap.strays()
		for _, letter := range strays.seen {
			r.seen = r.seen.with(string(letter))
		}
		r.first = cmp.Or(r.first, strays.first)
	}
	return r
}

// strayOf returns what reached the port of a visit under glass without naming one of the
// techniques that shared it.
func strayOf(glass *visit) (Stray, bool) {
	seen := glass.trap.strays().seen
	return Stray{Batch: glass.batch.Name, Rows: len(glass.batch.Rows), Seen: seen}, seen != "" && len(glass.batch.Rows) > 1
}
