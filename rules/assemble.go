package rules

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// assemble lays out the tables and the index.
func (b *builder) assemble(buckets []*bucket) (*Program, *limitError) {
	var keys, targets []uint32
	for _, bucket := range buckets {
		text := uint32(len(b.pool))
		b.pool = append(b.pool, bucket.host+bucket.path...)
		keys = append(keys, text, uint32(len(targets)/wordsPerTarget),
			uint32(len(bucket.exact))|uint32(len(bucket.below))<<16,
			uint32(len(bucket.host)+len(bucket.path))|uint32(bucket.depth)<<16)
		for _, list := range [][]placedTarget{bucket.exact, bucket.below} {
			for _, t := range list {
				targets = append(targets, t.words[:]...)
			}
		}
	}
	// The exceptions stand after all targets that a key leads to.
	for i := 0; i < len(b.extras); i += wordsPerExtra {
		b.extras[i+1] += uint32(len(targets) / wordsPerTarget)
	}
	targets = append(targets, b.excepted...)

	seed, slots := index(buckets)
	if slots == nil {
		return nil, &limitError{buckets[0].first(), "the hosts of the policy cannot be indexed"}
	}
	for len(b.pool)%4 != 0 {
		b.pool = append(b.pool, 0)
	}
	words := []uint32{
		magic, ProgramVersion, 0, 0, b.flags, seed,
		uint32(len(slots)), uint32(len(keys) / wordsPerKey), uint32(len(targets) / wordsPerTarget), uint32(len(b.rules) / wordsPerRule),
		uint32(len(b.extras) / wordsPerExtra), uint32(len(b.layers)), uint32(len(b.pool)),
	}
	words = slices.Concat(words, slots, keys, targets, b.rules, b.extras, b.layers)
	length := len(words)*4 + len(b.pool)
	words[2] = uint32(length)
	data := make([]byte, 0, length)
	for _, w := range words {
		data = binary.LittleEndian.AppendUint32(data, w)
	}
	data = append(data, b.pool...)
	binary.LittleEndian.PutUint32(data[3*4:], checksum(string(data)))
	program, err := OpenProgram(data)
	if err != nil {
		panic(fmt.Sprintf("the compiled program cannot be opened: %v", err))
	}
	return program, nil
}

// index makes the hash table, at most half full. The seed is the first with
// which no search takes long, whatever is searched for: a policy that was made
// to collide with one seed does not with the next.
func index(buckets []*bucket) (seed uint32, slots []uint32) {
	shift := uint8(31)
	for 1<<(32-shift) < 2*len(buckets) {
		shift--
	}
	for n := range uint32(maxSeeds) {
		seed = hashOffset + n
		slots = make([]uint32, 1<<(32-shift))
		for i, bucket := range buckets {
			slot, tag := spread(hashKey(seed, bucket.host, bucket.path), shift)
			for slots[slot] != 0 {
				slot = (slot + 1) % uint32(len(slots))
			}
			slots[slot] = tag<<numberBits | uint32(i+1)
		}
		if longestRun(slots) < maxProbes {
			return seed, slots
		}
	}
	return 0, nil
}

// longestRun counts the most slots in a row that are taken, across the end too:
// no search looks at more.
func longestRun(slots []uint32) int {
	longest, run := 0, 0
	for i := range 2 * len(slots) {
		if slots[i%len(slots)] == 0 {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
