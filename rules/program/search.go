package program

import (
	"strings"

	"github.com/bellglass/bellglass/rules/rule"
)

// A search walks the index for one request. sw/src/search.ts is the same.
type search struct {
	program      *Program
	url          rule.Location
	method, kind uint32
	// block and allow are the first rules found of each kind, or none.
	block, allow int
	// allowing has a bit for each layer with an allow rule that matches.
	allowing uint32
	// all, if not nil, collects every rule that matches.
	all map[int]rule.Action
}

// run tries each end of the host, beginning with the whole host. A key of one label only
// matches as a whole host.
func (s *search) run() {
	u, p := &s.url, s.program
	if !u.Hashed {
		s.runSlowly()
		return
	}
	s.end(u.Hash, 0)
	for i := range u.Labels[:max(u.Count-1, 0)] {
		from := u.Labels[i].Start
		s.end(u.Hash-u.Labels[i].Hash*p.powers[len(u.Host)-int(from)], int(from))
	}
}

// runSlowly does the same for a host that has not been hashed.
func (s *search) runSlowly() {
	host := s.url.Host
	for from := 0; ; {
		s.end(hashText(s.program.base, 0, host[from:]), from)
		dot := strings.IndexByte(host[from:], '.')
		if dot < 0 {
			return
		}
		from += dot + 1
	}
}

// end tries the end of the host that begins at index from.
func (s *search) end(h uint32, from int) {
	p := s.program
	key := s.find(h, from, 0)
	if key < 0 {
		return
	}
	s.key(key, from)
	depth := int(p.words[key+2] >> lengthBits & (1<<depthBits - 1))
	if depth == 0 {
		return
	}
	// The key is split by path. The key itself has the patterns without a literal directory.
	path := s.url.Path
	h = h*p.base + '/'
	for i, directories := 1, 0; i < len(path); i++ {
		h = h*p.base + uint32(path[i])
		if path[i] != '/' {
			continue
		}
		if directories++; directories > depth {
			return
		}
		if i+1 == len(path) {
			break // the whole path has the same text
		}
		if key := s.find(h, from, i+1); key >= 0 {
			s.key(key, from)
		}
	}
	if key := s.find(h, from, len(path)); key >= 0 {
		s.key(key, from)
	}
}

// find returns the index of the key for the host from an index on and the first bytes of the
// path, or -1.
func (s *search) find(h uint32, from, bytes int) int {
	p := s.program
	mixed, tag := spread(h)
	if bit := mixed >> p.filterShift; p.words[p.filter+int(bit>>5)]>>(bit&31)&1 == 0 {
		return -1
	}
	slots := p.words[p.slots:p.keys]
	for slot := int(mixed >> p.shift); ; slot++ {
		entry := slots[slot&(len(slots)-1)]
		if entry == 0 {
			return -1
		}
		if entry>>numberBits != tag {
			continue
		}
		key := p.keys + int(entry&(1<<numberBits-1)-1)*wordsPerKey
		host, length := s.url.Host[from:], int(p.words[key+2]&(1<<lengthBits-1))
		if length == len(host)+bytes {
			text := p.pool[p.words[key]:]
			if text[:len(host)] == host && text[len(host):length] == s.url.Path[:bytes] {
				return key
			}
		}
	}
}

// key tries the targets of a key: the exact ones for a whole host, and otherwise those below
// it.
func (s *search) key(key, hostFrom int) {
	p := s.program
	first := int(p.words[key+1])
	end, above := first+int(p.words[key+2]>>(lengthBits+depthBits)), ""
	if hostFrom > 0 {
		first, end = end, int(p.words[key+wordsPerKey+1])
		above = s.url.Host[:hostFrom-1]
	}
	for ; first < end; first++ {
		s.target(p.targets+first*wordsPerTarget, above)
	}
}

func (s *search) target(at int, above string) {
	p := s.program
	head := p.words[at]
	number, allow := int(head&(1<<numberBits-1)), head&allowFlag != 0
	switch {
	case s.all != nil:
	case allow && number >= s.allow && p.ceilings == 0, !allow && number >= s.block:
		return
	}
	if head>>methodsShift&s.method == 0 || p.words[at+1]>>typesShift&s.kind == 0 {
		return
	}
	if !s.matches(at, head, above, allow) || !allow && s.excepted(number) {
		return
	}
	if s.all != nil {
		s.all[number] = rule.Block
		if allow {
			s.all[number] = rule.Allow
		}
	}
	switch {
	case !allow:
		s.block = min(s.block, number)
	case p.ceilings == 0:
		s.allow = min(s.allow, number)
	default:
		layer := uint32(1) << (p.words[p.rules+number*wordsPerRule+1] >> layerShift)
		s.allowing |= layer
		if p.ceilings&layer == 0 { // a ceiling bounds and gives nothing
			s.allow = min(s.allow, number)
		}
	}
}

// matches compares scheme, port, the labels above the key, and the path. named is set for
// patterns that let a request out. There a star does not stand for an internationalized label,
// because browsers differ in how they spell these. In a block rule it does.
func (s *search) matches(at int, head uint32, above string, named bool) bool {
	p := s.program
	port := int(p.words[at+1] & (1<<typesShift - 1))
	if int(head>>schemeShift&schemeMask) != s.url.Scheme || port != 0 && port != s.url.Port {
		return false
	}
	pattern := int(p.words[at+2])
	if pattern == 0 {
		return !named || !internationalized(above)
	}
	if head&labelsFlag != 0 {
		var ok bool
		if ok, pattern = p.matchLabels(pattern, above, named); !ok {
			return false
		}
	} else if named && internationalized(above) {
		return false
	}
	return p.matchPath(pattern, s.url.Path)
}

// excepted reports whether an exception of the block rule matches.
func (s *search) excepted(number int) bool {
	p := s.program
	extra := int(p.words[p.rules+number*wordsPerRule+2])
	if extra == 0 {
		return false
	}
	at := p.extras + (extra-1)*wordsPerExtra
	first, count := int(p.words[at+1]), int(p.words[at+2])
	for at = p.targets + first*wordsPerTarget; count > 0; at, count = at+wordsPerTarget, count-1 {
		if s.matches(at, p.words[at], s.url.Host, true) {
			return true
		}
	}
	return false
}

// internationalized reports whether a label of the text begins with "xn--".
func internationalized(labels string) bool {
	return strings.HasPrefix(labels, rule.PunycodePrefix) || strings.Contains(labels, "."+rule.PunycodePrefix)
}
