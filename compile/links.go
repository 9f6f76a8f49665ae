package compile

import "strings"

// The limits of the headers in bytes: of a page, and of all pages together. A page can import as many
// modules as a sandbox has files, and all pages can import the same ones. The modules that the headers
// leave out load as without them.
const (
	mostOfPage  = 16 << 10
	mostOfPages = 128 << 10
)

// links returns the header Link of each page that has module scripts. It names the modules that the
// page loads anyway, by the same URLs: a document loads each URL once (HTML Standard, link type
// "modulepreload"). Without the header, the browser learns of a module only from its importers.
func (p *project) links() map[string]string {
	if len(p.ordered) == 0 {
		return nil
	}
	links, rest, steps := map[string]string{}, mostOfPages, 0
	for entry := range p.files.Entries() {
		if !strings.HasPrefix(entry.Type, "text/html") || entry.Size > largestPage {
			continue
		}
		link := linkage{project: p, most: min(mostOfPage, rest), steps: steps, named: map[string]bool{}}
		link.follow(p.scriptsOf(entry).mains)
		if rest, steps = rest-link.header.Len(), link.steps; link.header.Len() > 0 {
			links[entry.Path] = link.header.String()
		}
	}
	return links
}

// A linkage makes the header of a page.
type linkage struct {
	*project
	header strings.Builder
	most   int // bytes of the header
	steps  int // imports that the headers so far have followed
	named  map[string]bool
	next   []*source // those named whose imports are not
}

// follow names the scripts, and then what they import. Nearer modules come first. Other scripts than
// sources are left to the browser.
func (l *linkage) follow(mains []main) {
	for _, main := range mains {
		if s := l.sources[main.path]; s != nil && !l.add(main.url, s) {
			return
		}
	}
	for len(l.next) > 0 {
		s := l.next[0]
		l.next = l.next[1:]
		if _, failed := l.failure(s); failed {
			continue // it imports nothing then
		}
		for _, specifier := range s.scanned.Static {
			if !l.add(s.targets[specifier].URL, l.sources[s.files[specifier]]) {
				return
			}
		}
	}
}

// add names a module, which may be a source. It returns false if the header has to end.
func (l *linkage) add(url string, s *source) bool {
	if l.steps++; l.steps > mostSteps {
		return false
	}
	if l.named[url] || !isOwn(url) {
		return true
	}
	l.named[url] = true
	link := "<" + url + ">; rel=modulepreload"
	if l.header.Len() > 0 {
		link = ", " + link
	}
	if l.header.Len()+len(link) > l.most {
		return false
	}
	l.header.WriteString(link)
	if s != nil {
		l.next = append(l.next, s)
	}
	return true
}

// isOwn reports whether a URL is a path at the sandbox's own origin that can stand in the header.
// Sources are untrusted, and so are the queries of their specifiers. URLs treat a backslash as a slash.
func isOwn(url string) bool {
	return strings.HasPrefix(url, "/") && !strings.HasPrefix(url, "//") &&
		!strings.ContainsFunc(url, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`<>"\`, r) })
}
