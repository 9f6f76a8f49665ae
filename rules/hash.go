package rules

// The hash of the program's index, FNV-1a with a seed: sw/src/program.ts is the
// same. A page chooses what is looked up, and the length of a look-up is bound
// by the table, which the compiler has looked through (see maxProbes).
const (
	hashOffset = 0x811c9dc5
	hashPrime  = 0x01000193
	hashMix    = 0x9e3779b1
)

// hashKey hashes a key as the search does: the host backwards, then the path.
func hashKey(seed uint32, host, path string) uint32 {
	h := seed
	for i := len(host) - 1; i >= 0; i-- {
		h = (h ^ uint32(host[i])) * hashPrime
	}
	for i := range len(path) {
		h = (h ^ uint32(path[i])) * hashPrime
	}
	return h
}

// spread returns where in a table of 1<<(32-shift) slots a hash begins its
// search, and the tag that it is known by there.
func spread(h uint32, shift uint8) (slot, tag uint32) {
	h *= hashMix
	return uint32(uint64(h) >> shift), h & (1<<tagBits - 1)
}
