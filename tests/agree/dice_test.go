package agree

import (
	"hash/fnv"
	"math/rand/v2"
)

// Dice turn bytes into choices, so that a fuzzer steers them. When the bytes
// are used up, they go on with a generator that the bytes have seeded: so a few
// bytes make a whole policy with its requests, and the same ones each time.
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

// seldom is true once in n times.
func (d *dice) seldom(n int) bool { return d.n(n) == n-1 }

func pick[T any](d *dice, all ...T) T { return all[d.n(len(all))] }
