package program

import (
	"fmt"

	"github.com/bellglass/bellglass/rules/rule"
)

// A builder writes a program.
type builder struct {
	keys     map[string]*bucket // by host
	order    []*bucket
	rules    []uint32
	extras   []uint32
	excepted []uint32 // targets of exceptions, to which no key refers
	pool     []byte
	interned map[string]uint32
	layers   []uint32
	flags    uint32
}

// Build compiles the rules of all layers. Its error is a [*LimitError].
func Build(policy *rule.Policy) (*Program, error) {
	n := len(policy.Rules)
	b := &builder{
		keys: make(map[string]*bucket, n), interned: map[string]uint32{}, order: make([]*bucket, 0, n),
		rules: make([]uint32, 0, n*wordsPerRule), pool: append(make([]byte, 0, n*64), 0),
	}
	if policy.Mode == rule.ModeAudit {
		b.flags |= flagAudit
	}
	for i, layer := range policy.Layers {
		b.layers = append(b.layers, b.text(layer.File))
		if layer.Ceiling {
			b.flags |= 1 << (ceilingShift + i)
		}
	}
	if len(policy.Rules) > maxNumber {
		return nil, &LimitError{&policy.Rules[maxNumber].Patterns[0], fmt.Sprintf("a policy has up to %d rules", maxNumber)}
	}
	for i := range policy.Rules {
		b.rule(i, &policy.Rules[i])
	}
	buckets, err := b.split()
	if err != nil {
		return nil, err
	}
	return b.assemble(buckets)
}

func (b *builder) rule(number int, r *rule.Rule) {
	var extra uint32
	var exceptions cost
	if r.Reason != "" || len(r.Except) > 0 {
		first, count := len(b.excepted)/wordsPerTarget, 0
		for i := range r.Except {
			for j := range r.Except[i].Targets {
				t := &r.Except[i].Targets[j]
				words := targetWords(t, 0, rule.Block, 0, 0)
				words[0] |= labelsFlag
				words[2] = b.patterns(t.Host.Labels, t.Host.Sub, t.Path)
				b.excepted = append(b.excepted, words[:]...)
				count++
				exceptions = exceptions.plus(costOf(t))
			}
		}
		b.extras = append(b.extras, b.text(r.Reason), uint32(first), uint32(count))
		extra = uint32(len(b.extras) / wordsPerExtra)
	}
	b.rules = append(b.rules, b.unique(r.ID), uint32(r.Pos.Line)|uint32(r.Layer)<<layerShift, extra)

	methods, types := r.Masks()
	for i := range r.Patterns {
		for j := range r.Patterns[i].Targets {
			b.target(&r.Patterns[i].Targets[j], &r.Patterns[i], targetWords(&r.Patterns[i].Targets[j], number, r.Action, methods, types), exceptions)
		}
	}
}

func targetWords(t *rule.Target, number int, action rule.Action, methods, types uint32) [wordsPerTarget]uint32 {
	head := uint32(number) | methods<<methodsShift
	for i, s := range rule.Schemes {
		if s == t.Scheme {
			head |= uint32(i) << schemeShift
		}
	}
	if action == rule.Allow {
		head |= allowFlag
	}
	return [wordsPerTarget]uint32{head, uint32(t.Port) | types<<typesShift, 0}
}

// target adds a target to its host's bucket.
func (b *builder) target(t *rule.Target, pattern *rule.Pattern, words [wordsPerTarget]uint32, exceptions cost) {
	literal := len(t.Host.Labels)
	for literal > 0 && !t.Host.Labels[literal-1].Star {
		literal--
	}
	host := rule.JoinLiteral(t.Host.Labels[literal:])
	above := t.Host.Labels[:literal]
	if len(above) > 0 {
		words[0] |= labelsFlag
		words[2] = b.patterns(above, t.Host.Sub, t.Path)
	} else if t.Path != nil {
		words[2] = b.intern(appendPath(nil, t.Path))
	}
	placed := placedTarget{words: words, pattern: pattern, cost: costOf(t).plus(exceptions)}
	placed.path, _ = literalPath(t.Path)
	bucket := b.keys[host]
	if bucket == nil {
		bucket = newBucket(host, "")
		b.keys[host] = bucket
		b.order = append(b.order, bucket)
	}
	bucket.add(placed, t.Host.Sub || len(above) > 0)
}

// unique writes a text without sharing it.
func (b *builder) unique(s string) uint32 {
	offset := uint32(len(b.pool))
	b.pool = appendText(b.pool, s)
	return offset
}

func (b *builder) text(s string) uint32 {
	if s == "" {
		return 0
	}
	return b.intern(appendText(nil, s))
}

// patterns writes labels and path, and returns their offset in the pool.
func (b *builder) patterns(labels []rule.Part, more bool, path []rule.Segment) uint32 {
	p := []byte{byte(len(labels)), 0}
	if more {
		p[1] = 1
	}
	for i := len(labels) - 1; i >= 0; i-- {
		p = appendPart(p, labels[i])
	}
	return b.intern(appendPath(p, path))
}

func (b *builder) intern(p []byte) uint32 {
	offset, ok := b.interned[string(p)]
	if !ok {
		offset = uint32(len(b.pool))
		b.interned[string(p)] = offset
		b.pool = append(b.pool, p...)
	}
	return offset
}
