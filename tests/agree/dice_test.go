package agree

import (
	"hash/fnv"
	"math/rand/v2"
)

// Dice turn bytes into choices, so that a fuzzer can steer them. When the bytes are used up, a
// generator seeded with them continues. So a few bytes give a whole policy with its requests,
// and always the same ones.
type dice struct {
	bytes []byte
	tail  *rand.Rand
}

func newDice(bytes []byte) *dice {
	h := fnv.New64a()
	h.Write(bytes)
	return &dice{bytes, rand.New(rand.NewPCG(h.Sum64(), uint64(len(bytes))))}
}

func (d *dice) n(below int) int {
	if len(d.bytes) == 0 {
		return d.tail.IntN(below)
	}
	b := d.bytes[0]
	d.bytes = d.bytes[1:]
	return int(b) % below
}

// seldom returns true once in n times.
func (d *dice) seldom(n int) bool { return d.n(n) == n-1 }

func pick[T any](d *dice, all ...T) T { return all[d.n(len(all))] }
