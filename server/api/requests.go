package api

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/bellglass/bellglass/sandbox"
	"github.com/bellglass/bellglass/vfs"
)

// spec returns the [sandbox.Spec] of a new sandbox, without its files and its policy. contents
// are those of the files, by path.
func (n *NewSandbox) spec() (spec sandbox.Spec, contents map[string][]byte, err error) {
	if err := checkName(n.Name); err != nil {
		return spec, nil, err
	}
	ttl, err := duration(n.TTL)
	if err != nil {
		return spec, nil, err
	}
	contents = make(map[string][]byte, len(n.Files))
	for _, path := range slices.Sorted(maps.Keys(n.Files)) {
		if contents[path], err = n.Files[path].bytes(pointerTo("/files", path), path); err != nil {
			return spec, nil, err
		}
	}
	return sandbox.Spec{
		Name: n.Name, Entry: n.Entry, Fallback: n.Fallback, Keep: n.Keep, Flags: n.Flags, Permissions: n.Permissions, TTL: ttl, Labels: n.Labels,
	}, contents, nil
}

// update returns the [sandbox.Update] that the patch asks for.
func (p *SandboxPatch) update() (sandbox.Update, error) {
	update := sandbox.Update{Name: p.Name, Entry: p.Entry, Labels: p.Labels}
	if p.Name != nil {
		if err := checkName(*p.Name); err != nil {
			return update, err
		}
	}
	if p.TTL != nil {
		ttl, err := duration(*p.TTL)
		if err != nil {
			return update, err
		}
		update.TTL = &ttl
	}
	return update, nil
}

// changes returns the changes of the patch: first what it sets, by path, and then what it
// deletes. A patch without changes is refused.
func (p *FilesPatch) changes() (changes []vfs.Change, err error) {
	if len(p.Set)+len(p.Delete) == 0 {
		return nil, refuseField("", "The patch neither sets nor deletes a file. Send set, delete, or both.")
	}
	for _, path := range slices.Sorted(maps.Keys(p.Set)) {
		data, err := p.Set[path].bytes(pointerTo("/set", path), path)
		if err != nil {
			return nil, err
		}
		changes = append(changes, vfs.Put(path, data))
	}
	for _, path := range p.Delete {
		changes = append(changes, vfs.Delete(path))
	}
	return changes, nil
}

// checkName checks a name that a client chooses. A Go program may use a path of any length.
func checkName(name string) error {
	const longest = 200 // bytes
	if !sandbox.Plain(name, longest) {
		return refuseField("/name", "The name is longer than %d bytes or contains control characters. Shorten it or remove them.", longest)
	}
	return nil
}

// duration returns the ttl that a client writes in seconds.
func duration(seconds int64) (time.Duration, error) {
	const most = 10 * 365 * 24 * 3600
	if seconds < 0 || seconds > most {
		return 0, refuseField("/ttl", "The ttl is %d seconds. Send a number from 1 to %d, or 0 for no expiry.", seconds, most)
	}
	return time.Duration(seconds) * time.Second, nil
}

// pointerTo returns the JSON Pointer of an object's member.
func pointerTo(object, name string) string {
	return string(jsontext.Pointer(object).AppendToken(name))
}

// mostListed is how many sandboxes a page of listSandboxes has at most, and by default.
const mostListed = 1_000

// pageQuery reads the query of listSandboxes: label, which may occur several times, limit, and
// after.
func pageQuery(query url.Values) (page sandbox.Page, err error) {
	page.Limit = mostListed
	for name, values := range query {
		if len(values) > 1 && name != "label" {
			return page, Refuse(http.StatusBadRequest, "bad-parameter", "The parameter %s occurs %d times. Send it once.", name, len(values))
		}
		for _, value := range values {
			switch name {
			case "label":
				label, err := sandbox.ParseLabel(value)
				if err != nil {
					return page, Refuse(http.StatusBadRequest, "bad-parameter", "%v.", err)
				}
				page.Labels = append(page.Labels, label)
			case "limit":
				if page.Limit, err = strconv.Atoi(value); err != nil || page.Limit < 1 || page.Limit > mostListed {
					return page, Refuse(http.StatusBadRequest, "bad-parameter", "The limit is %.40q. Send a number from 1 to %d.", value, mostListed)
				}
			case "after":
				if page.After, err = strconv.ParseInt(value, 10, 64); err != nil || page.After < 0 {
					return page, Refuse(http.StatusBadRequest, "bad-parameter", "The parameter after is %.40q. Send the value of next from the previous page.", value)
				}
			}
		}
	}
	return page, nil
}

// keySyntax is the syntax of an Idempotency-Key.
var keySyntax = regexp.MustCompile(`^[!-~]{1,255}$`)

// idempotencyKey returns the key of a request, or "" if it has none.
func idempotencyKey(h http.Header) (string, error) {
	switch keys := h.Values("Idempotency-Key"); {
	case len(keys) == 0:
		return "", nil
	case len(keys) == 1 && keySyntax.MatchString(keys[0]):
		return keys[0], nil
	}
	return "", Refuse(http.StatusBadRequest, "bad-key", "The Idempotency-Key is invalid. Send it once, with 1 to 255 visible ASCII characters.")
}

// ETag formats a revision as an entity tag.
func ETag(revision int64) string { return `"` + strconv.FormatInt(revision, 10) + `"` }

var oneETag = regexp.MustCompile(`^"([1-9][0-9]{0,17})"$`)

// expected returns the revision that If-Match names, or 0 for any.
func expected(h http.Header) (int64, error) {
	values := h.Values("If-Match")
	if len(values) == 0 || len(values) == 1 && values[0] == "*" {
		return 0, nil
	}
	found := oneETag.FindStringSubmatch(values[0])
	if len(values) > 1 || found == nil {
		return 0, Refuse(http.StatusBadRequest, "bad-precondition", "If-Match is %.100q. Send one revision in quotes, as in the ETag, or *.", strings.Join(values, ", "))
	}
	return strconv.ParseInt(found[1], 10, 64)
}
