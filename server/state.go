package server

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/bellglass/bellglass/firewall"
	innerframe "github.com/bellglass/bellglass/inner-frame"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/sw"
)

// policyOf returns the hash of what a version's policy demands of the browser.
func (sb *Sandbox) policyOf(v version) string {
	return policyHash(v.Firewall.Headers(firewall.WorkerScript, sb.site(v)), v.Firewall.Policy().Containment)
}

// writeScript renders the worker's script with the version's policy. The script is as large as
// the names of thousands of files, and is rarely requested, so it is not cached.
func (sb *Sandbox) writeScript(v version) ([]byte, error) {
	refusal := flatten((&firewall.Firewall{}).Headers(firewall.Refusal, sb.site(v)))
	return sb.server.worker.Script(sb.secret, sb.key, sb.incarnation, sb.policyOf(v), refusal)
}

// writeState encodes the state that the worker fetches.
func (sb *Sandbox) writeState(v version) ([]byte, error) {
	var continues int64
	if sb.app != nil {
		continues = sb.app.continued.Load()
	}
	waits := sb.app != nil && !sb.app.tools && v.Files.Len() == 0
	if waits {
		v = ungranted(v)
	}
	all := sw.State{
		Protocol:     protocol.Version,
		Revision:     v.Revision,
		Policy:       sb.policyOf(v),
		Headers:      flatten(v.Firewall.Headers(firewall.Inner, sb.site(v))),
		Client:       sb.clientTag(v),
		KeepsAnswers: v.Baseline != nil, // [firewall.OwnFiles] has 'self' in each directive
		Program:      v.Firewall.Policy().Program(),
		Fallback:     sb.Fallback(),
		Waits:        waits,
		Continues:    continues,
		Files:        make([]sw.File, 0, v.Served.Len()),
		Links:        map[string]string{}, // a map that is null would be another type in TypeScript
	}
	maps.Copy(all.Links, v.Links)
	for entry := range v.Served.Entries() {
		all.Files = append(all.Files, sw.File{Path: entry.Path, Hash: entry.Hash.String(), Size: entry.Size, Type: entry.Type})
	}
	state, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("writing the state of revision %d: %w", v.Revision, err)
	}
	return state, nil
}

func (sb *Sandbox) clientTag(v version) string {
	return innerframe.ClientTag(v.Revision, innerframe.ClientConfig{Outer: sb.server.outerOrigin, Granted: v.Granted()})
}

// policyHash hashes a header set and the containment that the browser must enforce. A worker
// with another hash is replaced: for that the boot page runs again, and checks the browser
// again.
func policyHash(h http.Header, demanded rules.Containment) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q\n", demanded)
	for _, name := range slices.Sorted(maps.Keys(h)) {
		fmt.Fprintf(sum, "%s: %q\n", name, h[name])
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// ungranted returns the version without its grants. A sandbox that waits for its app can grant
// everything that an app may ask for, and the document that is begun in advance gets nothing.
func ungranted(v version) version {
	v.Grants = firewall.Grants{}
	return v
}

// sameHeaders reports whether the virtual files of two versions have the same headers, and
// their workers' scripts too.
func (sb *Sandbox) sameHeaders(a, b version) bool {
	return sb.policyOf(a) == sb.policyOf(b) &&
		maps.Equal(flatten(a.Firewall.Headers(firewall.Inner, sb.site(a))), flatten(b.Firewall.Headers(firewall.Inner, sb.site(b))))
}

func (sb *Sandbox) site(v version) firewall.Site {
	site := sb.server.site()
	site.Inner, site.Grants, site.Baseline, site.Reports = sb.URL(), v.Grants, v.Baseline, sb.URL()+protocol.ReportPath
	return site
}

// flatten returns the headers as a map of strings. Policy headers have one value each.
func flatten(h http.Header) map[string]string {
	m := make(map[string]string, len(h))
	for name := range h {
		m[name] = h.Get(name)
	}
	return m
}
