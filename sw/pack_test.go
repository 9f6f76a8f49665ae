package sw_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/sw"
)

// readPack reads a pack as its documentation says, and all of it.
func readPack(pack []byte) ([]sw.Content, error) {
	if len(pack) < 4 {
		return nil, fmt.Errorf("only %d bytes", len(pack))
	}
	length := int(binary.LittleEndian.Uint32(pack))
	if length > len(pack)-4 {
		return nil, fmt.Errorf("an index of %d bytes in %d", length, len(pack)-4)
	}
	var index [][]any
	if err := json.Unmarshal(pack[4:4+length], &index); err != nil {
		return nil, fmt.Errorf("the index %q: %w", pack[4:4+length], err)
	}
	if index == nil {
		return nil, errors.New("the index is null, over which the worker could not go")
	}
	rest := pack[4+length:]
	var all []sw.Content
	for _, entry := range index {
		hash, ok := entry[0].(string)
		size, isNumber := entry[1].(float64)
		if len(entry) != 2 || !ok || !isNumber || int(size) > len(rest) {
			return nil, fmt.Errorf("the entry %v with %d bytes left", entry, len(rest))
		}
		all = append(all, sw.Content{Hash: hash, Bytes: rest[:int(size)]})
		rest = rest[int(size):]
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("%d bytes of no content", len(rest))
	}
	return all, nil
}

func TestWritePack(t *testing.T) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	var many []sw.Content
	for i := range 1000 {
		many = append(many, sw.Content{Hash: fmt.Sprintf("%064x", i), Bytes: bytes.Repeat([]byte{byte(i)}, i)})
	}
	for name, contents := range map[string][]sw.Content{
		"nothing":       nil,
		"one":           {{Hash: "a", Bytes: []byte("content")}},
		"an empty file": {{Hash: "a", Bytes: []byte{}}, {Hash: "b", Bytes: []byte("x")}, {Hash: "c", Bytes: []byte{}}},
		"every byte":    {{Hash: "a", Bytes: every}, {Hash: "b", Bytes: every}},
		"an index":      {{Hash: "a", Bytes: []byte("\x02\x00\x00\x00[]")}},
		"many":          many,
	} {
		var pack bytes.Buffer
		if err := sw.WritePack(&pack, contents); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := readPack(pack.Bytes())
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if diff := cmp.Diff(contents, got); diff != "" {
			t.Errorf("%s (-written +read):\n%s", name, diff)
		}
	}
}

// A pack that could not be written whole is an error at each of its parts.
func TestWritePackFails(t *testing.T) {
	contents := []sw.Content{{Hash: strings.Repeat("a", 64), Bytes: []byte("one")}, {Hash: strings.Repeat("b", 64), Bytes: []byte("two")}}
	var whole bytes.Buffer
	if err := sw.WritePack(&whole, contents); err != nil {
		t.Fatal(err)
	}
	for room := range whole.Len() {
		if err := sw.WritePack(&narrow{room}, contents); !errors.Is(err, errFull) {
			t.Errorf("with room for %d of %d bytes: %v", room, whole.Len(), err)
		}
	}
	if err := sw.WritePack(&narrow{whole.Len()}, contents); err != nil {
		t.Errorf("with room for all: %v", err)
	}
}

var errFull = errors.New("full")

// A narrow writer has room for a number of bytes.
type narrow struct{ room int }

func (w *narrow) Write(b []byte) (int, error) {
	if len(b) > w.room {
		n := w.room
		w.room = 0
		return n, errFull
	}
	w.room -= len(b)
	return len(b), nil
}
