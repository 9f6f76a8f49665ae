package server

import (
	"time"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/vfs"
)

// NewSandbox is the body of createSandbox. All of it may be left out.
type NewSandbox struct {
	// Name is shown to people.
	Name string `json:"name,omitempty"`
	// Files are contents by path, "/index.html".
	Files map[string]FileContent `json:"files,omitempty"`
	// Policy is YAML; without it everything is blocked.
	Policy string `json:"policy,omitempty"`
	// Entry, Fallback, Keep are as in [Spec].
	Entry    string `json:"entry,omitempty"`
	Fallback string `json:"fallback,omitempty"`
	Keep     bool   `json:"keep,omitempty"`
	// Flags and Permissions are as in [Spec].
	Flags       []string `json:"flags,omitempty"`
	Permissions []string `json:"permissions,omitempty"`
	// TTL is as in [Spec], in seconds.
	TTL int64 `json:"ttl,omitempty"`
}

// A FileContent is given in one of two ways, and not in both.
type FileContent struct {
	Text   *string `json:"text,omitempty"`
	Base64 *[]byte `json:"base64,omitempty"`
}

// FilesPatch is the body of patchFiles. No path may stand in both.
type FilesPatch struct {
	Set    map[string]FileContent `json:"set,omitempty"`
	Delete []string               `json:"delete,omitempty"`
}

// Question is the body of explain: a request that page code might make. Without a
// type it has that which follows from its URL.
type Question struct {
	Method string     `json:"method"`
	URL    string     `json:"url"`
	Type   rules.Type `json:"type,omitempty"`
}

// explanation is the type of the answer to a Question, which is also what
// the command line prints.
var explanation firewall.Explanation

// SandboxList is the answer of listSandboxes.
type SandboxList struct {
	Sandboxes []Info `json:"sandboxes"`
}

// Info describes a sandbox.
type Info struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// URL is the origin of the sandbox's code; OuterURL is the address to embed;
	// HostURL is a page that shows the sandbox with its log.
	URL      string `json:"url"`
	OuterURL string `json:"outerUrl"`
	HostURL  string `json:"hostUrl"`
	Revision int64  `json:"revision"`
	Entry    string `json:"entry"`
	Fallback string `json:"fallback"`
	// Files is how many there are, Bytes how large they are together.
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
	Keep  bool  `json:"keep"`
	// Viewers is how many views of the sandbox are open in browsers now.
	Viewers int `json:"viewers"`
	// Flags and Permissions are sorted.
	Flags       []string  `json:"flags"`
	Permissions []string  `json:"permissions"`
	Created     time.Time `json:"created"`
	// Expires is there if the sandbox has a [Spec.TTL].
	Expires *time.Time `json:"expires,omitempty"`
}

// FileList is the answer of listFiles, sorted by path.
type FileList struct {
	Revision int64      `json:"revision"`
	Files    []FileInfo `json:"files"`
}

// FileInfo describes a file. Hash is the SHA-256 of its bytes.
type FileInfo struct {
	Path string   `json:"path"`
	Size int64    `json:"size"`
	Hash vfs.Hash `json:"hash"`
	Type string   `json:"type"`
}

// Revised is the answer to a change.
type Revised struct {
	Revision int64 `json:"revision"`
}

// bytes returns the content, or refuses it.
func (f FileContent) bytes(pointer, path string) ([]byte, error) {
	switch {
	case f.Text != nil && f.Base64 != nil:
		return nil, refuseField(pointer, "The file %.200q has both text and base64; give one of them.", path)
	case f.Text != nil:
		return []byte(*f.Text), nil
	case f.Base64 != nil:
		return *f.Base64, nil
	}
	return nil, refuseField(pointer, "The file %.200q has neither text nor base64; give one of them.", path)
}
