package selftest

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A link carries a report in its fragment, which a browser sends to no server:
//
//	r=1.BASE64URL
//
// with the version of the format, and the DEFLATE (RFC 1951) of a JSON array. It
// is not signed; whoever has a link could have written it.
const (
	linkPrefix = "r=1."

	// Bounds of what is read: of the fragment, of the JSON, of its rows.
	maxLink  = 64 << 10
	maxJSON  = 512 << 10
	maxRows  = 2_000
	maxName  = 80
	maxShort = 64
)

// letters are the outcomes in a link.
var letters = map[Outcome]string{Escaped: "e", KnownOpen: "k", Contained: "c", Unproven: "u", NotRun: "n"}

// Encode returns the fragment, without "#", that carries a report.
func Encode(r *Report) (string, error) {
	c := linked{
		Bellglass: r.Bellglass, Browser: []string{r.Browser.Name, r.Browser.Version, r.Browser.Platform}, Started: r.Started.Unix(),
		Seconds: r.Seconds, Containment: r.Containment, Ended: r.Ended, Detail: r.Detail, Rows: [][]string{}, Strays: []linkedStray{},
	}
	for _, row := range r.Rows {
		fields := []string{row.Name, letters[row.Outcome], string(row.Seen), string(row.Control), string(row.Why), row.Detail}
		for fields[len(fields)-1] == "" {
			fields = fields[:len(fields)-1]
		}
		c.Rows = append(c.Rows, fields)
	}
	for _, s := range r.Strays {
		c.Strays = append(c.Strays, linkedStray(s))
	}
	text, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(text); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	link := linkPrefix + base64.RawURLEncoding.EncodeToString(packed.Bytes())
	if len(link) > maxLink {
		return "", fmt.Errorf("the link would have %d bytes, and %d are the limit", len(link), maxLink)
	}
	return link, nil
}

// linked is the JSON of a link. A row is name, outcome, seen, control, why and
// detail, without empty ones at its end.
type linked struct {
	Bellglass   string        `json:"b"`
	Browser     []string      `json:"u"`
	Started     int64         `json:"t"` // seconds since 1970
	Seconds     int           `json:"s"`
	Containment string        `json:"c"`
	Ended       Ended         `json:"e"`
	Detail      string        `json:"d"`
	Rows        [][]string    `json:"r"`
	Strays      []linkedStray `json:"x"`
}

type linkedStray struct {
	Batch string `json:"b"`
	Rows  int    `json:"n"`
	Seen  Seen   `json:"s"`
}

// Decode reads a fragment, with or without its "#". What is not exactly as
// [Encode] writes it is refused, with a reason.
func Decode(fragment string) (*Report, error) {
	fragment = strings.TrimPrefix(fragment, "#")
	if len(fragment) > maxLink {
		return nil, fmt.Errorf("the link has %d bytes, and %d are the limit", len(fragment), maxLink)
	}
	text, found := strings.CutPrefix(fragment, linkPrefix)
	if !found {
		return nil, fmt.Errorf("the link does not begin with %q: it carries no result, or one that another version of Bellglass wrote", linkPrefix)
	}
	packed, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("the link is not whole: %w", err)
	}
	plain, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxJSON+1))
	if err != nil {
		return nil, fmt.Errorf("the link is not whole: %w", err)
	}
	if len(plain) > maxJSON {
		return nil, fmt.Errorf("the link holds more than %d bytes", maxJSON)
	}
	var c linked
	d := json.NewDecoder(bytes.NewReader(plain))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf("the link's result cannot be read: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the link's result")
	}
	return c.report()
}

var (
	rowName = regexp.MustCompile(`^[a-z]+/[a-z0-9]+(-[a-z0-9]+)*$`)
	year    = 365 * 24 * time.Hour
)

func (c *linked) report() (*Report, error) {
	if len(c.Browser) != 3 || len(c.Rows) > maxRows || len(c.Strays) > maxRows {
		return nil, fmt.Errorf("the link's result has another shape: %d texts of the browser, %d rows, %d strays", len(c.Browser), len(c.Rows), len(c.Strays))
	}
	r := &Report{
		Bellglass: c.Bellglass, Browser: Browser{c.Browser[0], c.Browser[1], c.Browser[2]}, Started: time.Unix(c.Started, 0).UTC(),
		Seconds: c.Seconds, Containment: c.Containment, Ended: c.Ended, Detail: c.Detail, Rows: []Row{}, Strays: []Stray{},
	}
	for _, text := range append(slices.Clone(c.Browser), c.Bellglass) {
		if text != clip(text, maxShort) {
			return nil, fmt.Errorf("the text %q is too long, or not printable", clip(text, maxShort))
		}
	}
	_, knownEnd := Endings[c.Ended]
	switch {
	case c.Detail != clip(c.Detail, maxDetail):
		return nil, errors.New("the result's detail is too long, or not printable")
	case c.Started < 0 || c.Started > int64((200*year).Seconds()):
		return nil, fmt.Errorf("%d is no time of a run", c.Started)
	case c.Seconds < 0 || c.Seconds > 24*60*60:
		return nil, fmt.Errorf("%d is no duration of a run", c.Seconds)
	case c.Containment != "" && !slices.Contains(containments, c.Containment):
		return nil, fmt.Errorf("%q is no containment", clip(c.Containment, maxShort))
	case c.Ended != "" && !knownEnd:
		return nil, fmt.Errorf("%q is no reason for which a run ends", clip(string(c.Ended), maxShort))
	}
	for _, fields := range c.Rows {
		row, err := readRow(fields)
		if err != nil {
			return nil, err
		}
		if n := len(r.Rows); n > 0 && r.Rows[n-1].Name >= row.Name {
			return nil, fmt.Errorf("the row %s is not in its place, or there twice", row.Name)
		}
		r.Rows = append(r.Rows, row)
	}
	for _, s := range c.Strays {
		if !validName(s.Batch) || s.Rows < 2 || s.Rows > maxRows || s.Seen == "" || !validSeen(s.Seen) {
			return nil, fmt.Errorf("the stray of %q is none", clip(s.Batch, maxShort))
		}
		r.Strays = append(r.Strays, Stray(s))
	}
	return r, nil
}

// readRow reads a row and refuses one that contradicts itself.
func readRow(fields []string) (Row, error) {
	const most = 6
	if len(fields) < 2 || len(fields) > most || fields[len(fields)-1] == "" {
		return Row{}, fmt.Errorf("a row has %d fields", len(fields))
	}
	all := append(slices.Clone(fields), make([]string, most-len(fields))...)
	row := Row{Name: all[0], Seen: Seen(all[2]), Control: Seen(all[3]), Why: Why(all[4]), Detail: all[5]}
	for outcome, letter := range letters {
		if all[1] == letter {
			row.Outcome = outcome
		}
	}
	_, knownWhy := Whys[row.Why]
	ok := false
	switch row.Outcome {
	case Escaped, KnownOpen:
		ok = row.Seen != "" && row.Why == ""
	case Contained:
		ok = row.Seen == "" && row.Control != "" && row.Why == "" && row.Detail == ""
	case Unproven:
		ok = row.Seen == "" && row.Control == "" && row.Why == "" && row.Detail == ""
	case NotRun:
		ok = row.Seen == "" && knownWhy
	}
	if !ok || !validName(row.Name) || !validSeen(row.Seen) || !validSeen(row.Control) || row.Detail != clip(row.Detail, maxDetail) {
		return Row{}, fmt.Errorf("the row %q is none, or contradicts itself", clip(strings.Join(fields, " "), maxDetail))
	}
	return row, nil
}

func validName(name string) bool { return len(name) <= maxName && rowName.MatchString(name) }

// validSeen: letters that are known, once each, in their order.
func validSeen(s Seen) bool {
	sorted := Seen("")
	for _, letter := range s {
		sorted = sorted.with(string(letter))
	}
	return s == sorted
}
