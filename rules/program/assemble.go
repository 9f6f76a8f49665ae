package program

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
)

// assemble writes the tables and the index, and opens the result.
func (b *builder) assemble(buckets []*bucket) (*Program, error) {
	var keys, targets []uint32
	for _, bucket := range buckets {
		text := uint32(len(b.pool))
		b.pool = append(b.pool, bucket.host+bucket.path...)
		keys = append(keys, text, uint32(len(targets)/wordsPerTarget),
			uint32(len(bucket.host)+len(bucket.path))|uint32(bucket.depth)<<lengthBits|uint32(len(bucket.exact))<<(lengthBits+depthBits))
		for _, list := range [][]placedTarget{bucket.exact, bucket.below} {
			for _, t := range list {
				targets = append(targets, t.words[:]...)
			}
		}
	}
	keys = append(keys, 0, uint32(len(targets)/wordsPerTarget), 0)
	// The exceptions follow all targets that keys refer to.
	for i := 0; i < len(b.extras); i += wordsPerExtra {
		b.extras[i+1] += uint32(len(targets) / wordsPerTarget)
	}
	targets = append(targets, b.excepted...)

	base, filter, slots := index(buckets)
	if slots == nil {
		return nil, &LimitError{buckets[0].first(), "the hosts of the policy cannot be indexed"}
	}
	for len(b.pool)%4 != 0 {
		b.pool = append(b.pool, 0)
	}
	words := []uint32{
		magic, Version, 0, 0, b.flags, base,
		uint32(len(filter)), uint32(len(slots)), uint32(len(keys) / wordsPerKey), uint32(len(targets) / wordsPerTarget), uint32(len(b.rules) / wordsPerRule),
		uint32(len(b.extras) / wordsPerExtra), uint32(len(b.layers)), uint32(len(b.pool)),
	}
	words = slices.Concat(words, filter, slots, keys, targets, b.rules, b.extras, b.layers)
	length := len(words)*4 + len(b.pool)
	words[wordLength] = uint32(length)
	data := make([]byte, 0, length)
	for _, w := range words {
		data = binary.LittleEndian.AppendUint32(data, w)
	}
	data = append(data, b.pool...)
	for i := len(words) * 4; i < len(data); i += 4 {
		words = append(words, binary.LittleEndian.Uint32(data[i:]))
	}
	binary.LittleEndian.PutUint32(data[wordChecksum*4:], checksum(words))
	program, err := Open(data)
	if err != nil {
		panic(fmt.Sprintf("the compiled program cannot be opened: %v", err))
	}
	return program, nil
}

// index makes the hash table, at most three quarters full, and its filter, with at least eight
// bits for each key. The base of the hash is the first one that keeps every search short,
// whatever is searched for. A policy made to collide with one base does not collide with the
// next.
func index(buckets []*bucket) (base uint32, filter, slots []uint32) {
	size := 2
	for 3*size < 4*len(buckets)+4 {
		size *= 2
	}
	shift := uint8(33 - bits.Len(uint(size)))
	for n := range uint32(maxBases) {
		base = firstBase + 2*n // odd, so that every character affects the hash
		filter, slots = make([]uint32, max(1, size/4)), make([]uint32, size)
		filterShift := uint8(33 - bits.Len(uint(len(filter)*32)))
		for i, bucket := range buckets {
			mixed, tag := spread(hashText(base, hashText(base, 0, bucket.host), bucket.path))
			bit := mixed >> filterShift
			filter[bit>>5] |= 1 << (bit & 31)
			slot := int(mixed >> shift)
			for slots[slot] != 0 {
				slot = (slot + 1) % size
			}
			slots[slot] = tag<<numberBits | uint32(i+1)
		}
		if longestRun(slots) < maxProbes {
			return base, filter, slots
		}
	}
	return 0, nil, nil
}

// longestRun returns the largest number of consecutive used slots, even across the end. No
// search reads more slots.
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
