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

// Data is what the page knows of its sandbox. It travels in a data block, a
// script element of type application/json, which no browser executes.
type Data struct {
	// Name says what runs, for instance the folder's base name.
	Name string `json:"name"`
	// SandboxURL is the inner origin, for people to read.
	SandboxURL string `json:"sandboxUrl"`
	// OuterURL is what the iframe loads.
	OuterURL string `json:"outerUrl"`
	// Incarnation names the sandbox among those that have had its id.
	Incarnation string `json:"incarnation"`
	// Allow is the iframe's allow attribute.
	Allow string `json:"allow"`
	// Grants are the flags and permissions that the sandbox was granted; never nil, for
	// a null is no list to the page.
	Grants []string `json:"grants"`
	// Policy is the policy file's name; empty means that none was given, and
	// then everything is blocked.
	Policy string `json:"policy"`
	// Version is Bellglass's own version.
	Version string `json:"version"`
	// SelfTest says that the server offers /selftest.
	SelfTest bool `json:"selfTest"`
	// SignIn: the page has to ask for a token first, and with it for the other fields.
	SignIn bool `json:"signIn,omitempty"`
}

// DataPath follows the page's own path where the page asks for its data.
const DataPath = "/page-data"

// New prepares the page; its data is a [Data]. script is start.ts and all it
// imports as one classic script.
func New(script []byte) (*page.Page, error) {
	return page.New("host.html", string(read("host.html")), script, read("host.css"))
}

func read(name string) []byte {
	b, err := files.ReadFile(name)
	if err != nil {
		panic("hostpage: " + err.Error()) // embedded, so it is there
	}
	return b
}
