package hostpage

import (
	"embed"

	"github.com/bellglass/bellglass/internal/page"
)

// TypeScript is the page's source; its entry is start.ts.
//
//go:embed *.ts
var TypeScript embed.FS

//go:embed host.html host.css
var files embed.FS

// Data is what the page needs to know about its sandbox. It is in a data block, a
// script element of type application/json, which no browser executes.
type Data struct {
	// Name says what runs, for instance the folder's base name.
	Name string `json:"name"`
	// SandboxURL is the inner origin, to show to people.
	SandboxURL string `json:"sandboxUrl"`
	// OuterURL is the address of the iframe.
	OuterURL string `json:"outerUrl"`
	// Incarnation identifies the sandbox among all that have had its id.
	Incarnation string `json:"incarnation"`
	// Allow is the iframe's allow attribute.
	Allow string `json:"allow"`
	// Grants are the flags and permissions that the sandbox was granted. It is never
	// nil, because the page expects a list instead of null.
	Grants []string `json:"grants"`
	// Policy is the name of the policy file. Without a policy file it is "", and everything
	// is blocked.
	Policy string `json:"policy"`
	// Live reports whether the page turns live update on.
	Live bool `json:"live"`
	// Version is Bellglass's own version.
	Version string `json:"version"`
	// SelfTest reports whether the server offers /selftest.
	SelfTest bool `json:"selfTest"`
	// SignIn means that the page has to ask for a token, with which it requests the
	// other fields.
	SignIn bool `json:"signIn,omitempty"`
}

// DataPath is the path, after the page's own, at which the page requests its data.
const DataPath = "/page-data"

// New prepares the page, which is rendered with a [Data]. script is start.ts with its
// imports, as one classic script.
func New(script []byte) (*page.Page, error) {
	return page.New("host.html", string(read("host.html")), script, read("host.css"))
}

func read(name string) []byte {
	b, err := files.ReadFile(name)
	if err != nil {
		panic("hostpage: " + err.Error()) // it is embedded, so it exists
	}
	return b
}
