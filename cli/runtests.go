package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/bellglass/bellglass/rules"
)

type testRules struct{ policyArgument }

// A tested is the JSON of rules test.
type tested struct {
	OK    bool         `json:"ok"`
	Tests []testedCase `json:"tests"`
}

type testedCase struct {
	File   string       `json:"file"`
	Line   int          `json:"line"`
	Method string       `json:"method"`
	URL    string       `json:"url"`
	Type   rules.Type   `json:"type"`
	Expect rules.Action `json:"expect"`
	// ExpectRule is "" if any rule may decide.
	ExpectRule string       `json:"expectRule"`
	Verdict    rules.Action `json:"verdict"`
	Rule       string       `json:"rule"`
	Code       rules.Code   `json:"code"`
	Reason     string       `json:"reason"`
	OK         bool         `json:"ok"`
	// Message and Hint say what failed.
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

func (c *testRules) Run(std streams) error {
	results, err := rules.RunTests(c.name(), c.open(std.in))
	if err != nil {
		return err
	}
	document := tested{OK: true, Tests: []testedCase{}}
	var failures rules.Errors
	for _, r := range results {
		t := testedCase{
			File: r.File, Line: r.Pos.Line, Method: r.Request.Method, URL: r.Request.URL, Type: r.Request.Type, Expect: r.Expect, ExpectRule: r.Test.Rule,
			Verdict: r.Verdict.Action, Rule: r.Verdict.Rule, Code: r.Verdict.Code, Reason: r.Verdict.Reason, OK: r.Failure == nil,
		}
		if r.Failure != nil {
			t.Message, t.Hint, document.OK = r.Failure.Msg, r.Failure.Hint, false
			failures = append(failures, r.Failure)
		}
		document.Tests = append(document.Tests, t)
	}
	var failed error
	if len(failures) > 0 {
		failed = fmt.Errorf("%d of %s failed", len(failures), count(len(results), "test"))
	}
	if c.JSON {
		return errors.Join(failed, printJSON(std.out, document))
	}
	if err := document.print(std.out, c.File); err != nil {
		return err
	}
	if failed != nil {
		c.quote(failures)
		fmt.Fprintln(std.err, printable(failures.Pretty()))
	}
	return failed
}

func (d *tested) print(w io.Writer, file string) error {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, t := range d.Tests {
		word, by := "ok", string(t.Code)
		if !t.OK {
			word = "FAIL"
		}
		if t.Rule != "" {
			by = t.Rule
		}
		fmt.Fprintf(table, "%s\t%s:%d\t%s\t%s\t%s\t%s\t%s\n", word, t.File, t.Line, t.Verdict, by, t.Method, t.Type, t.URL)
	}
	table.Flush()
	switch {
	case len(d.Tests) == 0:
		fmt.Fprintf(&b, "no tests in %s\n", file)
	case d.OK:
		fmt.Fprintf(&b, "ok %s\n", count(len(d.Tests), "test"))
	}
	_, err := io.WriteString(w, printable(b.String()))
	return err
}
