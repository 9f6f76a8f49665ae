package program

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/bellglass/bellglass/rules/rule"
)

// Version is the number of the program's format. A reader that knows
// another number blocks everything.
const Version = 2

// A Program is a policy in the form that decides requests: one string of bytes,
// which Go and the service worker read where they lie, so that both have the
// same meaning by having the same data. It is immutable. The zero Program blocks
// all.
//
// # The format
//
// Numbers are unsigned and little-endian. After a header of 32-bit words come
// tables of 32-bit words, one after the other without a gap, and last a pool of
// bytes that the tables point into. Offset 0 of the pool means "nothing".
//
//	header   magic, version, length of all in bytes, checksum, flags, base,
//	         then the counts: filter, slots, keys, targets, rules, extras, layers,
//	         pool
//	filter   a bit for each key's hash; where there is none, no slot need be read
//	slots    hash table of keys, open addressing, a power of two:
//	         0, or a 12-bit tag of the hash and 20 bits of the key's number + 1
//	keys     pool offset of the text, first target; length of the text 13, depth 7,
//	         count of exact targets 12. The targets below follow the exact ones, up
//	         to the next key's first. The last key is none and ends the others.
//	targets  rule 20, scheme 2, action 1, labels 1, methods 8; port 16, types 16;
//	         pool offset of the patterns
//	rules    pool offset of the id; line 24, layer 8; number of the extra + 1
//	extras   pool offset of the reason; first exception (a target), count
//	layers   pool offset of the file's name
//
// # The index
//
// A key is the literal end of a host: "example.com" for example.com (exact) and
// for *.example.com and api-*.example.com (below). One walk over a host
// tries all of its ends. A key with many targets is split by path: its text goes on with the
// literal directory of a pattern, "example.com/v1/", or with a whole literal
// path; depth says how many directories deep, and 0 that it is not split. So
// the time of a decision does not depend on the number of rules.
//
// # Patterns in the pool
//
// If the target has labels: their number, 1 if a host may have more before
// them, and each from last to first as a part. Then the path: [pathAny],
// [pathExact] and [pathPrefix] with a text, or [pathSegments] with three
// 16-bit numbers: of segments, of those after the last "**", and how many bytes
// further these begin; then each, a part or [segmentAny]. A part is [partLiteral] and a
// text, or [partStar] and two. A text has a 16-bit length before it.
type Program struct {
	words []uint32 // the header and the tables
	pool  string
	file  string // of the policy

	filter, slots, keys, targets, rules, extras, layers int    // where in words each begins
	base                                                uint32 // of the hash
	powers                                              *[rule.MaxHost + 1]uint32
	// 32 less the logarithm of the number of slots, and of bits in the filter.
	shift, filterShift uint8
	audit              bool
	ceilings           uint32 // a bit for each layer
}

const (
	magic       = 0x50474c42 // "BLGP"
	headerWords = 14

	wordsPerKey, wordsPerTarget, wordsPerRule, wordsPerExtra = 3, 3, 3, 3

	flagAudit    = 1
	ceilingShift = 8 // the flags from this bit on

	tagBits, numberBits = 12, 20
	maxNumber           = 1<<numberBits - 2

	lengthBits, depthBits = 13, 7

	labelsFlag = 1 << 23
	allowFlag  = 1 << 22
)

// What stands in the pool before a pattern's parts.
const (
	pathAny = iota
	pathExact
	pathPrefix
	pathSegments
)

const (
	partLiteral = iota
	partStar
	segmentAny
)

// Open reads a program's bytes. It refuses another version, a wrong
// length and damaged bytes; what it accepts was written by this package.
func Open(data []byte) (*Program, error) {
	if len(data) < headerWords*4 || len(data)%4 != 0 || binary.LittleEndian.Uint32(data) != magic {
		return nil, errors.New("program: this is no program")
	}
	words := make([]uint32, len(data)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(data[i*4:])
	}
	if words[1] != Version {
		return nil, fmt.Errorf("program: the program has version %d, and this reads %d", words[1], Version)
	}
	at := uint64(headerWords)
	next := func(count, each int) int {
		from := at
		at += uint64(words[count]) * uint64(each)
		return int(from)
	}
	p := &Program{
		filter: next(6, 1), slots: next(7, 1), keys: next(8, wordsPerKey), targets: next(9, wordsPerTarget),
		rules: next(10, wordsPerRule), extras: next(11, wordsPerExtra), layers: next(12, 1),
	}
	filter, slots := words[6], words[7]
	if at*4+uint64(words[13]) != uint64(len(data)) || uint64(words[2]) != uint64(len(data)) || bits.OnesCount32(filter) != 1 || bits.OnesCount32(slots) != 1 || checksum(words) != words[3] {
		return nil, errors.New("program: the program is damaged")
	}
	p.words, p.pool = slices.Clone(words[:at]), string(data[at*4:])
	p.base, p.audit, p.ceilings = words[5], words[4]&flagAudit != 0, words[4]>>ceilingShift
	p.shift, p.filterShift = uint8(bits.LeadingZeros32(slots)+1), uint8(bits.LeadingZeros32(filter)+1-5)
	p.powers = powersOf(p.base)
	if words[12] > 0 {
		p.file = p.layer(0)
	}
	return p, nil
}

// checksum covers all words but its own (FNV-1a by words).
func checksum(words []uint32) uint32 {
	h := uint32(0x811c9dc5)
	for i, w := range words {
		if i != 3 {
			h = (h ^ w) * 0x01000193
		}
	}
	return h
}

// Bytes returns the program as it is sent to the worker, nothing for a zero
// program.
func (p *Program) Bytes() []byte {
	data := make([]byte, 0, len(p.words)*4+len(p.pool))
	for _, w := range p.words {
		data = binary.LittleEndian.AppendUint32(data, w)
	}
	return append(data, p.pool...)
}

// MarshalText returns the bytes in base64, so that in JSON a program is one
// string.
func (p *Program) MarshalText() ([]byte, error) {
	return base64.StdEncoding.AppendEncode(nil, p.Bytes()), nil
}

// text returns the text at a pool offset, "" at 0.
func (p *Program) text(offset uint32) string {
	if offset == 0 {
		return ""
	}
	s, _ := p.read(int(offset))
	return s
}

// read returns the text that begins at an index of the pool, and the index
// after it.
func (p *Program) read(at int) (text string, after int) {
	at, end := at+2, at+2+p.length(at)
	return p.pool[at:end], end
}

// length returns the 16-bit number at an index of the pool.
func (p *Program) length(at int) int {
	return int(p.pool[at]) | int(p.pool[at+1])<<8
}

// A ruleView is what the program says of a rule.
type ruleView struct {
	id, reason, file string
	line             int
}

func (p *Program) rule(number int) ruleView {
	at := p.rules + number*wordsPerRule
	place := p.words[at+1]
	v := ruleView{id: p.text(p.words[at]), line: int(place & 0xffffff), file: p.file}
	if layer := int(place >> 24); layer > 0 {
		v.file = p.layer(layer)
	}
	if extra := int(p.words[at+2]); extra > 0 {
		v.reason = p.text(p.words[p.extras+(extra-1)*wordsPerExtra])
	}
	return v
}

func (p *Program) layer(number int) string { return p.text(p.words[p.layers+number]) }
