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

// A Program is a policy in the form that decides requests. It is one string of bytes, which Go
// and the service worker read in place. Both decide alike because they have the same data. A
// Program is immutable. The zero Program blocks everything.
type Program struct {
	words []uint32 // the header and the tables
	pool  string
	file  string // name of the policy's own file

	filter, slots, keys, targets, rules, extras, layers int    // index in words where each table begins
	base                                                uint32 // base of the hash
	powers                                              *[rule.MaxHost + 1]uint32
	// 32 minus the binary logarithm of the number of slots, and of bits in the filter.
	shift, filterShift uint8
	audit              bool
	ceilings           uint32 // one bit for each layer that sets a ceiling
}

// Open reads a program's bytes. It rejects another version, a wrong length, and damaged bytes.
// It trusts all other bytes, because this package wrote them.
func Open(data []byte) (*Program, error) {
	if len(data) < headerWords*4 || len(data)%4 != 0 || binary.LittleEndian.Uint32(data) != magic {
		return nil, errors.New("program: this is no program")
	}
	words := make([]uint32, len(data)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(data[i*4:])
	}
	if words[wordVersion] != Version {
		return nil, fmt.Errorf("program: the program has version %d, and this reads %d", words[wordVersion], Version)
	}
	at := uint64(headerWords)
	next := func(count, each int) int {
		from := at
		at += uint64(words[count]) * uint64(each)
		return int(from)
	}
	p := &Program{
		filter: next(wordFilter, 1), slots: next(wordSlots, 1), keys: next(wordKeys, wordsPerKey), targets: next(wordTargets, wordsPerTarget),
		rules: next(wordRules, wordsPerRule), extras: next(wordExtras, wordsPerExtra), layers: next(wordLayers, 1),
	}
	filter, slots := words[wordFilter], words[wordSlots]
	if at*4+uint64(words[wordPool]) != uint64(len(data)) || uint64(words[wordLength]) != uint64(len(data)) || bits.OnesCount32(filter) != 1 || bits.OnesCount32(slots) != 1 || checksum(words) != words[wordChecksum] {
		return nil, errors.New("program: the program is damaged")
	}
	p.words, p.pool = slices.Clone(words[:at]), string(data[at*4:])
	p.base, p.audit, p.ceilings = words[wordBase], words[wordFlags]&flagAudit != 0, words[wordFlags]>>ceilingShift
	p.shift, p.filterShift = uint8(bits.LeadingZeros32(slots)+1), uint8(bits.LeadingZeros32(filter)+1-5)
	p.powers = powersOf(p.base)
	if words[wordLayers] > 0 {
		p.file = p.layer(0)
	}
	return p, nil
}

// checksum returns the checksum of all words except its own (FNV-1a by words).
func checksum(words []uint32) uint32 {
	h := uint32(checksumStart)
	for i, w := range words {
		if i != wordChecksum {
			h = (h ^ w) * checksumPrime
		}
	}
	return h
}

// Bytes returns the program as it is sent to the worker, or nothing for a zero program.
func (p *Program) Bytes() []byte {
	data := make([]byte, 0, len(p.words)*4+len(p.pool))
	for _, w := range p.words {
		data = binary.LittleEndian.AppendUint32(data, w)
	}
	return append(data, p.pool...)
}

// MarshalText returns the bytes in base64, so that a program is a single string in JSON.
func (p *Program) MarshalText() ([]byte, error) {
	return base64.StdEncoding.AppendEncode(nil, p.Bytes()), nil
}

// text returns the text at a pool offset, or "" at offset 0.
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

// A ruleView is the data that the program has about a rule.
type ruleView struct {
	id, reason, file string
	line             int
}

func (p *Program) rule(number int) ruleView {
	at := p.rules + number*wordsPerRule
	place := p.words[at+1]
	v := ruleView{id: p.text(p.words[at]), line: int(place & (1<<layerShift - 1)), file: p.file}
	if layer := int(place >> layerShift); layer > 0 {
		v.file = p.layer(layer)
	}
	if extra := int(p.words[at+2]); extra > 0 {
		v.reason = p.text(p.words[p.extras+(extra-1)*wordsPerExtra])
	}
	return v
}

func (p *Program) layer(number int) string { return p.text(p.words[p.layers+number]) }
