package program_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/program"
)

// Open never panics, whatever bytes it gets. The test corrects the checksum, which would
// otherwise reject nearly every input.
//
// Nothing more is promised. A program with a correct checksum was written by this package, and
// comes only from its own memory. Open does not check it for offsets outside of the program.
// So for other bytes Decide may return anything, or panic.
func FuzzOpen(f *testing.F) {
	f.Add((&rules.Policy{}).Program().Bytes())
	names, err := filepath.Glob("../testdata/ok/*.yaml")
	if err != nil || len(names) == 0 {
		f.Fatalf("no policies: %v", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		policy, err := rules.Parse(name, text)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(policy.Program().Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		data = repaired(data)
		p, err := program.Open(data)
		if (p == nil) == (err == nil) {
			t.Fatalf("the program %v with the error %v", p, err)
		}
		if err == nil && string(p.Bytes()) != string(data) {
			t.Error("the program has other bytes than those that were opened")
		}
	})
}

// repaired returns the bytes as a program with the correct magic number, version, length, and
// checksum (FNV-1a by words, over all words except its own).
func repaired(data []byte) []byte {
	const version, length, checksum, counts, last = 1, 2, 3, 6, 13
	data = append([]byte(nil), data[:len(data)/4*4]...)
	if len(data) < 4*(last+1) {
		return data
	}
	set := func(word int, value uint32) { binary.LittleEndian.PutUint32(data[4*word:], value) }
	copy(data, "BLGP")
	set(version, program.Version)
	set(length, uint32(len(data)))
	nameFirstLayer(data, counts)
	h := uint32(0x811c9dc5)
	for at := 0; at < len(data); at += 4 {
		if at != 4*checksum {
			h = (h ^ binary.LittleEndian.Uint32(data[at:])) * 0x01000193
		}
	}
	set(checksum, h)
	return data
}

// nameFirstLayer gives the first layer, if there is one, the file name "". Open reads that
// name, and panics for an offset outside of the pool. Remove this function when Open checks
// the offset.
func nameFirstLayer(data []byte, counts int) {
	word := func(n int) uint64 { return uint64(binary.LittleEndian.Uint32(data[4*n:])) }
	at := uint64(counts+8) + word(counts) + word(counts+1) + 3*(word(counts+2)+word(counts+3)+word(counts+4)+word(counts+5))
	if at < uint64(len(data)/4) && word(counts+6) > 0 {
		binary.LittleEndian.PutUint32(data[4*at:], 0)
	}
}
