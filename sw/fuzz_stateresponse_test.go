package sw_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// However a response is damaged on its way, the worker reads all of it or rejects it. The fuzzer
// leaves the state's own text unchanged, and changes lengths, indexes, and contents.
func FuzzStateResponse(f *testing.F) {
	f.Add([]byte{7}, "", "0", []byte("content"), uint16(0), byte(0), uint16(0))
	f.Add([]byte{1, 2, 3, 4}, "0,2", "1,3", []byte("bbdddd"), uint16(0), byte(0), uint16(0))
	f.Add([]byte{2}, "", "0", []byte("abc"), uint16(0), byte(0), uint16(0))
	f.Add([]byte{0, 1, 0}, "", "0,1,2", []byte("x"), uint16(0), byte(0), uint16(1))
	f.Add([]byte{3, 3}, "1", "101", []byte("abcabc"), uint16(3), byte(1), uint16(0))
	f.Add([]byte{3, 3}, "-0", "1e0,0", []byte("abcabc"), uint16(4), byte(0xff), uint16(0))
	f.Add([]byte{}, "9007199254740993", "0.5", []byte{}, uint16(9), byte(0x80), uint16(5))
	ask := startNode(f, `import { readStateResponse } from '../sw/src/stateresponse'
declare const Buffer: any
serve((base64: string) => {
	const bytes = Uint8Array.from(Buffer.from(base64, 'base64')).buffer
	try {
		const { state, kept, sent } = readStateResponse(bytes)
		return { Revision: state.revision, Kept: kept, Sent: Object.fromEntries([...sent].map(([hash, content]) => [hash, Buffer.from(content).toString('base64')])) }
	} catch (error) {
		return { Error: String(error) }
	}
})
`)
	// The byte at flipped, counted without the state's text, is changed by change. The last
	// cut bytes are removed.
	f.Fuzz(func(t *testing.T, sizes []byte, kept, sent string, contents []byte, flipped uint16, change byte, cut uint16) {
		if len(sizes) > 20 || !utf8.ValidString(kept) || !utf8.ValidString(sent) {
			return
		}
		var lengths []int
		for _, size := range sizes {
			lengths = append(lengths, int(size))
		}
		state := stateText(lengths...)
		b := responseOf(state, fmt.Sprintf(`{"kept":[%s],"sent":[%s]}`, kept, sent), string(contents))
		at := int(flipped) % (len(b) - len(state))
		if at >= 4 {
			at += len(state)
		}
		b[at] ^= change
		b = b[:max(0, len(b)-int(cut))]

		var got read
		ask(t, base64.StdEncoding.EncodeToString(b), &got)
		want, err := expectedResponse(b, lengths)
		if (err != nil) != (got.Error != "") {
			t.Fatalf("%q: the worker reports %+v, but the error in Go is %v", b, got, err)
		}
		got.Error = ""
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", b, diff)
		}
	})
}

// A read is what the worker reads from a response. Contents are in base64, by hash.
type read struct {
	Error    string
	Revision int
	Kept     []string
	Sent     map[string]string
}

// expectedResponse reads a response as sw/stateresponse.go describes it. Its state has files of these
// sizes.
func expectedResponse(b []byte, sizes []int) (read, error) {
	text := func() ([]byte, error) {
		if len(b) < 4 || uint64(len(b)-4) < uint64(binary.LittleEndian.Uint32(b)) {
			return nil, errors.New("a text is cut off")
		}
		end := 4 + int(binary.LittleEndian.Uint32(b))
		part := b[4:end]
		b = b[end:]
		if !utf8.Valid(part) || !json.Valid(part) {
			return nil, fmt.Errorf("%q is no JSON", part)
		}
		return part, nil
	}
	state, err := text()
	if err != nil {
		return read{}, err
	}
	if strings.TrimSpace(string(state)) != stateText(sizes...) {
		return read{}, fmt.Errorf("the state is %q", state)
	}
	index, err := text()
	if err != nil {
		return read{}, err
	}
	// A map, because a struct's fields would match keys in any letter case.
	var lists map[string]any
	if err := json.Unmarshal(index, &lists); err != nil {
		return read{}, err
	}
	named := func(list string) (places []int, err error) {
		values, ok := lists[list].([]any)
		if !ok {
			return nil, fmt.Errorf("%s is no list", list)
		}
		for _, value := range values {
			place, ok := value.(float64)
			if !ok || place != math.Trunc(place) || place < 0 || place >= float64(len(sizes)) {
				return nil, fmt.Errorf("%v is no place", value)
			}
			places = append(places, int(place))
		}
		return places, nil
	}
	kept, errKept := named("kept")
	sent, errSent := named("sent")
	if err := errors.Join(errKept, errSent); err != nil {
		return read{}, err
	}
	hash := func(place int) string { return string('a' + rune(place)) }
	found := read{Revision: 7, Kept: []string{}, Sent: map[string]string{}}
	for _, place := range kept {
		found.Kept = append(found.Kept, hash(place))
	}
	for _, place := range sent {
		if sizes[place] > len(b) {
			return read{}, errors.New("a content is cut off")
		}
		found.Sent[hash(place)] = base64.StdEncoding.EncodeToString(b[:sizes[place]])
		b = b[sizes[place]:]
	}
	if len(b) > 0 {
		return read{}, errors.New("something is left over")
	}
	return found, nil
}
