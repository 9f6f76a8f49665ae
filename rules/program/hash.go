package program

import "github.com/bellglass/bellglass/rules/rule"

// The hash of the program's index is a polynomial in a base that the compiler
// chose, modulo 2^32: sw/src/program.ts has the same. So a host can be hashed
// while it is read from the left, and the hash of each of its ends follows from
// that of what stands before it. A page chooses what is looked up; the length of
// a look-up is bound by the table, which the compiler has looked through (see
// maxProbes).
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

// spread mixes a hash: its first bits say which bit of the filter and where in
// the slots a search begins, its last ones are the tag.
func spread(h uint32) (mixed, tag uint32) {
	h = (h ^ h>>15) * hashMix
	return h, h & (1<<tagBits - 1)
}
