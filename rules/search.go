package rules

import "strings"

// A search walks the index for one request. sw/src/search.ts is the same.
type search struct {
	program      *Program
	url          *location
	method, kind uint32
	// block and allow are the first rules found of each kind, or none.
	block, allow int
	// allowing has a bit for each layer with an allow rule that matches.
	allowing uint32
	// all, if not nil, takes every rule that matches.
	all map[int]Action
}

// run tries each end of the host, from the last label to all of it.
func (s *search) run() {
	host := s.url.host
	h := s.program.seed
	for i := len(host) - 1; ; i-- {
		if i < 0 || host[i] == '.' {
			s.end(h, i)
		}
		if i < 0 {
			return
		}
		h = (h ^ uint32(host[i])) * hashPrime
	}
}

// end tries the end of the host after the dot at an index, -1 for all of it.
func (s *search) end(h uint32, dot int) {
	key, depth := s.find(h, dot+1, 0)
	if key < 0 {
		return
	}
	s.key(key, dot)
	if depth == 0 {
		return
	}
	// The key is split by path: what is above holds the patterns that have no
	// literal directory.
	path := s.url.path
	h = (h ^ '/') * hashPrime
	for i, directories := 1, 0; ; i++ {
		if i == len(path) {
			if key, _ := s.find(h, dot+1, i); key >= 0 {
				s.key(key, dot)
			}
			return
		}
		h = (h ^ uint32(path[i])) * hashPrime
		if path[i] != '/' {
			continue
		}
		if directories++; directories > depth {
			return
		}
		if i+1 == len(path) {
			continue // the same text as the whole path
		}
		if key, _ := s.find(h, dot+1, i+1); key >= 0 {
			s.key(key, dot)
		}
	}
}

// find returns the place of the key for the host from an index on and the first
// bytes of the path, or -1.
func (s *search) find(h uint32, from, bytes int) (key, depth int) {
	p := s.program
	slot, tag := spread(h, p.shift)
	mask := uint32(1)<<(32-p.shift) - 1
	for {
		entry := word32(p.data, p.slots+int(slot)*4)
		if entry == 0 {
			return -1, 0
		}
		if entry>>numberBits == tag {
			key := p.keys + int(entry&(1<<numberBits-1)-1)*wordsPerKey*4
			shape := word32(p.data, key+12)
			host, length := s.url.host[from:], int(shape&0xffff)
			if length == len(host)+bytes {
				text := p.pool + int(word32(p.data, key))
				if p.data[text:text+len(host)] == host && p.data[text+len(host):text+length] == s.url.path[:bytes] {
					return key, int(shape >> 16)
				}
			}
		}
		slot = (slot + 1) & mask
	}
}

// key tries the targets of a key: the exact ones for a whole host, else those
// below it.
func (s *search) key(key, dot int) {
	p := s.program
	counts := word32(p.data, key+8)
	from, count := int(word32(p.data, key+4)), int(counts&0xffff)
	above := ""
	if dot >= 0 {
		from, count = from+count, int(counts>>16)
		above = s.url.host[:dot]
	}
	for at := p.targets + from*wordsPerTarget*4; count > 0; at, count = at+wordsPerTarget*4, count-1 {
		s.target(at, above)
	}
}

func (s *search) target(at int, above string) {
	p := s.program
	head := word32(p.data, at)
	number, allow := int(head&(1<<numberBits-1)), head&allowFlag != 0
	switch {
	case s.all != nil:
	case allow && number >= s.allow && p.ceilings == 0, !allow && number >= s.block:
		return
	}
	if head>>24&s.method == 0 || word32(p.data, at+4)>>16&s.kind == 0 {
		return
	}
	if !s.matches(at, head, above, allow) || !allow && s.excepted(number) {
		return
	}
	if s.all != nil {
		s.all[number] = Block
		if allow {
			s.all[number] = Allow
		}
	}
	switch {
	case !allow:
		s.block = min(s.block, number)
	case p.ceilings == 0:
		s.allow = min(s.allow, number)
	default:
		layer := uint32(1) << (word32(p.data, p.rules+number*wordsPerRule*4+4) >> 24)
		s.allowing |= layer
		if p.ceilings&layer == 0 { // a ceiling bounds, and gives nothing
			s.allow = min(s.allow, number)
		}
	}
}

// matches compares scheme, port, the labels above the key, and the path. named
// is for what lets a request out: there a star stands for no internationalised
// label, because browsers differ in how they spell these; in a block it does.
func (s *search) matches(at int, head uint32, above string, named bool) bool {
	p := s.program
	port := int(word32(p.data, at+4) & 0xffff)
	if schemes[head>>20&3] != s.url.scheme || port != 0 && port != s.url.port {
		return false
	}
	pattern := int(word32(p.data, at+8))
	if pattern == 0 {
		return !named || !internationalised(above)
	}
	pattern += p.pool
	if head&labelsFlag != 0 {
		var ok bool
		if ok, pattern = p.matchLabels(pattern, above, named); !ok {
			return false
		}
	} else if named && internationalised(above) {
		return false
	}
	return p.matchPath(pattern, s.url.path)
}

// excepted reports whether an exception of the block rule matches.
func (s *search) excepted(number int) bool {
	p := s.program
	extra := int(word32(p.data, p.rules+number*wordsPerRule*4+8))
	if extra == 0 {
		return false
	}
	at := p.extras + (extra-1)*wordsPerExtra*4
	first, count := int(word32(p.data, at+4)), int(word32(p.data, at+8))
	for at = p.targets + first*wordsPerTarget*4; count > 0; at, count = at+wordsPerTarget*4, count-1 {
		if s.matches(at, word32(p.data, at), s.url.host, true) {
			return true
		}
	}
	return false
}

// internationalised reports whether a label of the text begins with "xn--".
func internationalised(labels string) bool {
	return strings.HasPrefix(labels, punycodePrefix) || strings.Contains(labels, "."+punycodePrefix)
}

const punycodePrefix = "xn--"
