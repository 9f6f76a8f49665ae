package sw_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/static"
)

func TestParseRange(t *testing.T) {
	type result struct {
		Kind  string `json:"kind"`
		First int    `json:"first"`
		Last  int    `json:"last"`
	}
	part := func(first, last int) result { return result{"part", first, last} }
	whole, outside := result{Kind: "whole"}, result{Kind: "unsatisfiable"}
	cases := []struct {
		header any // a string, or nil for a missing header
		size   int
		want   result
	}{
		{nil, 10, whole},
		{"bytes=0-4", 10, part(0, 4)},
		{"bytes=5-5", 10, part(5, 5)},
		{"bytes=0-9", 10, part(0, 9)},
		{"bytes=0-10", 10, part(0, 9)}, // cut at the end of the file
		{"bytes=9-999999999999999", 10, part(9, 9)},
		{"bytes=00-004", 10, part(0, 4)},
		{"Bytes=0-4", 10, part(0, 4)}, // units are case-insensitive
		{"bytes= 0 - 4 ", 10, part(0, 4)},

		// An open end.
		{"bytes=0-", 10, part(0, 9)},
		{"bytes=9-", 10, part(9, 9)},
		{"bytes=10-", 10, outside},
		{"bytes=10-20", 10, outside},

		// The last bytes.
		{"bytes=-1", 10, part(9, 9)},
		{"bytes=-10", 10, part(0, 9)},
		{"bytes=-11", 10, part(0, 9)},
		{"bytes=-0", 10, outside},

		// An empty file has no bytes to send.
		{"bytes=0-", 0, outside},
		{"bytes=0-0", 0, outside},
		{"bytes=-1", 0, outside},
		{"bytes=-0", 0, outside},
		{nil, 0, whole},

		// Several ranges are ignored, and so are invalid ones.
		{"bytes=0-1,3-4", 10, whole},
		{"bytes=0-1,", 10, whole},
		{"bytes=,0-1", 10, whole},
		{"bytes=4-2", 10, whole},
		{"bytes=", 10, whole},
		{"bytes=-", 10, whole},
		{"bytes=5", 10, whole},
		{"bytes=a-b", 10, whole},
		{"bytes=0-b", 10, whole},
		{"bytes=0x1-2", 10, whole},
		{"bytes=1e1-", 100, whole},
		{"bytes=1.5-2", 10, whole},
		{"bytes=+1-2", 10, whole},
		{"bytes=--1", 10, whole},
		{"bytes=1--2", 10, whole},
		{"bytes=1-2-3", 10, whole},
		{"bytes=1 2-3", 10, whole},
		{"bytes=\u0661-\u0662", 10, whole},     // Arabic digits
		{"bytes=9007199254740993-", 10, whole}, // more digits than a number holds exactly
		{"bytes=0-99999999999999999999", 10, whole},
		{"bytes", 10, whole},
		{"bytes 0-4", 10, whole},
		{"bytes =0-4", 10, whole},
		{"items=0-4", 10, whole},
		{"0-4", 10, whole},
		{"", 10, whole},
		{" bytes=0-4", 10, whole},
	}
	type question struct {
		Header any `json:"header"`
		Size   int `json:"size"`
	}
	var input []question
	for _, c := range cases {
		input = append(input, question{c.header, c.size})
	}
	var output []result
	runNode(t, `import { parseRange } from '../sw/src/range'
print(input.map((q: any) => parseRange(q.header, q.size)))
`, input, &output)
	if len(output) != len(cases) {
		t.Fatalf("%d answers to %d headers", len(output), len(cases))
	}
	for i, c := range cases {
		if diff := cmp.Diff(c.want, output[i]); diff != "" {
			t.Errorf("%v of %d bytes (-want +got):\n%s", c.header, c.size, diff)
		}
		header, _ := c.header.(string)
		span := static.ParseRange(header, int64(c.size))
		kind := map[bool]string{true: "part", false: "whole"}[span.IsPart]
		if span.IsOutside {
			kind = outside.Kind
		}
		if got := (result{kind, int(span.First), int(span.Last)}); got != c.want {
			t.Errorf("%v of %d bytes: the server reads %+v, want %+v", c.header, c.size, got, c.want)
		}
	}
}
