package rules

import (
	"encoding/base64"
	"errors"
	"fmt"
)

// ProgramVersion is the number of the program's format. A reader that knows
// another number blocks everything.
const ProgramVersion = 2

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
//	header   magic, version, length of all in bytes, checksum, flags, seed,
//	         then the counts: slots, keys, targets, rules, extras, layers, pool
//	slots    hash table of keys, open addressing, a power of two:
//	         0, or a 12-bit tag of the hash and 20 bits of the key's number + 1
//	keys     pool offset of the text, first target, counts of targets
//	         (exact 16, below 16), length of the text 16 and depth 8
//	targets  rule 20, scheme 2, action 1, labels 1, methods 8; port 16, types 16;
//	         pool offset of the patterns
//	rules    pool offset of the id; line 24, layer 8; number of the extra + 1
//	extras   pool offset of the reason; first exception (a target), count
//	layers   pool offset of the file's name
//
// # The index
//
// A key is the literal end of a host: "example.com" for example.com (exact) and
// for *.example.com and api-*.example.com (below). The hash runs from the host's
// last character to its first, so that one walk over a host tries all of its
// ends. A key with many targets is split by path: its text goes on with the
// literal directory of a pattern, "example.com/v1/", or with a whole literal
// path; depth says how many directories deep, and 0 that it is not split. So
// the time of a decision does not depend on the number of rules.
//
// # Patterns in the pool
//
// If the target has labels: their number, 1 if a host may have more before
// them, and each from last to first as a part. Then the path: [pathAny],
// [pathExact] and [pathPrefix] with a text, or [pathSegments] with a 16-bit
// number of segments, each a part or [segmentAny]. A part is [partLiteral] and a
// text, or [partStar] and two. A text has a 16-bit length before it.
type Program struct {
	data string

	slots, keys, targets, rules, extras, layers, pool int // where each begins
	seed                                              uint32
	shift                                             uint8 // 32 less the logarithm of the number of slots
	audit                                             bool
	ceilings                                          uint32 // a bit for each layer
	ruleCount                                         int
}

const (
	magic       = 0x50474c42 // "BLGP"
	headerWords = 13

	wordsPerKey, wordsPerTarget, wordsPerRule, wordsPerExtra = 4, 3, 3, 3

	flagAudit    = 1
	ceilingShift = 8 // the flags from this bit on

	tagBits, numberBits = 12, 20
	maxNumber           = 1<<numberBits - 2

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

// OpenProgram reads a program's bytes. It refuses another version, a wrong
// length and damaged bytes; what it accepts was written by this package.
func OpenProgram(data []byte) (*Program, error) {
	p := &Program{data: string(data)}
	if len(data) < headerWords*4 || len(data)%4 != 0 || p.word(0) != magic {
		return nil, errors.New("rules: this is no program")
	}
	if version := p.word(1); version != ProgramVersion {
		return nil, fmt.Errorf("rules: the program has version %d, and this reads %d", version, ProgramVersion)
	}
	counts := [7]uint64{}
	for i := range counts {
		counts[i] = uint64(p.word(6 + i))
	}
	at := uint64(headerWords)
	next := func(words uint64) int {
		from := at
		at += words
		return int(from) * 4
	}
	p.slots, p.keys, p.targets = next(counts[0]), next(counts[1]*wordsPerKey), next(counts[2]*wordsPerTarget)
	p.rules, p.extras, p.layers = next(counts[3]*wordsPerRule), next(counts[4]*wordsPerExtra), next(counts[5])
	p.pool = int(at) * 4
	slots := counts[0]
	if at*4+counts[6] != uint64(len(data)) || uint64(p.word(2)) != uint64(len(data)) || slots == 0 || slots&(slots-1) != 0 || checksum(p.data) != p.word(3) {
		return nil, errors.New("rules: the program is damaged")
	}
	p.seed, p.audit, p.ceilings = p.word(5), p.word(4)&flagAudit != 0, p.word(4)>>ceilingShift
	p.ruleCount = int(counts[3])
	for p.shift = 32; slots > 1; slots >>= 1 {
		p.shift--
	}
	return p, nil
}

// checksum covers all words but its own (FNV-1a by words).
func checksum(data string) uint32 {
	h := uint32(hashOffset)
	for i := 0; i+4 <= len(data); i += 4 {
		if i != 3*4 {
			h = (h ^ word32(data, i)) * hashPrime
		}
	}
	return h
}

func word32(s string, at int) uint32 {
	s = s[at : at+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

func (p *Program) word(i int) uint32 { return word32(p.data, i*4) }

// Bytes returns the program as it is sent to the worker.
func (p *Program) Bytes() []byte { return []byte(p.data) }

// MarshalText returns the bytes in base64, and nothing for a zero program, so
// that in JSON a program is one string.
func (p *Program) MarshalText() ([]byte, error) {
	return base64.StdEncoding.AppendEncode(nil, []byte(p.data)), nil
}

// Files returns the policy's file and those that it includes, in the order in
// which they were read.
func (p *Program) Files() []string {
	if p.data == "" {
		return nil
	}
	var all []string
	for at := p.layers; at < p.pool; at += 4 {
		all = append(all, p.text(int(word32(p.data, at))))
	}
	return all
}

// text returns the text at a pool offset, "" at 0.
func (p *Program) text(offset int) string {
	if offset == 0 {
		return ""
	}
	s, _ := p.read(p.pool + offset)
	return s
}

// read returns the text that begins at an index of data, and the index after it.
func (p *Program) read(at int) (text string, after int) {
	n := int(p.data[at]) | int(p.data[at+1])<<8
	at += 2
	return p.data[at : at+n], at + n
}

// A ruleView is what the program says of a rule.
type ruleView struct {
	id, reason, file string
	line             int
}

func (p *Program) rule(number int) ruleView {
	at := p.rules + number*wordsPerRule*4
	place := word32(p.data, at+4)
	v := ruleView{id: p.text(int(word32(p.data, at))), line: int(place & 0xffffff), file: p.layer(int(place >> 24))}
	if extra := int(word32(p.data, at+8)); extra > 0 {
		v.reason = p.text(int(word32(p.data, p.extras+(extra-1)*wordsPerExtra*4)))
	}
	return v
}

func (p *Program) layer(number int) string {
	return p.text(int(word32(p.data, p.layers+number*4)))
}
