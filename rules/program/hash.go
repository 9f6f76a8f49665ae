package program

import "github.com/bellglass/bellglass/rules/rule"

// The hash of the program's index is a polynomial modulo 2^32 in a base that the compiler
// chose. sw/src/program.ts computes the same hash. A host can be hashed while it is read from
// the left. The hash of each of its ends follows from the hash of the text before it.
//
// A page chooses what is looked up. The table bounds the length of a lookup, and the compiler
// has checked the table (see maxProbes).
const (
	firstBase = 0x01000193
	hashMix   = 0x9e3779b1
)

func hashText(base, h uint32, text string) uint32 {
	for i := range len(text) {
		h = h*base + uint32(text[i])
	}
	return h
}

// powersOf returns the base's powers.
func powersOf(base uint32) *[rule.MaxHost + 1]uint32 {
	var powers [rule.MaxHost + 1]uint32
	power := uint32(1)
	for i := range powers {
		powers[i] = power
		power *= base
	}
	return &powers
}

// spread mixes a hash. Its first bits select the bit of the filter, and the slot where a
// search begins. Its last bits are the tag.
func spread(h uint32) (mixed, tag uint32) {
	h = (h ^ h>>15) * hashMix
	return h, h & (1<<tagBits - 1)
}
