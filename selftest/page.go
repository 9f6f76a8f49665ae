package selftest

import (
	"embed"

	"github.com/bellglass/bellglass/internal/page"
)

// TypeScript is the page's source. Its entry is selftest.ts.
//
//go:embed *.ts
var TypeScript embed.FS

//go:embed selftest.html selftest.css
var files embed.FS

// Data is the content of the page's data block.
type Data struct {
	Facts
	Run  string `json:"run"`  // the run that the page drives, or ""
	Over bool   `json:"over"` // that run no longer exists
}

// Facts are the same for every visitor of the page.
type Facts struct {
	Version    string           `json:"version"`
	Techniques []Technique      `json:"techniques"` // by name
	Whys       map[Why]string   `json:"whys"`
	Endings    map[Ended]string `json:"endings"`
}

// A Technique describes a row of package escape, for people.
type Technique struct {
	Name  string `json:"name"`
	About string `json:"about"`
	Left  Why    `json:"left"` // why it does not run, or ""
}

func newFacts(version string, p *plan) Facts {
	f := Facts{Version: version, Whys: Whys, Endings: Endings}
	for _, row := range p.rows {
		f.Techniques = append(f.Techniques, Technique{row.Name, row.About, p.left[row.Name]})
	}
	return f
}

func newPage(script []byte) (*page.Page, error) {
	return page.New("selftest.html", string(read("selftest.html")), script, read("selftest.css"))
}

func read(name string) []byte {
	b, err := files.ReadFile(name)
	if err != nil {
		panic("selftest: " + err.Error()) // the file is embedded, so it exists
	}
	return b
}
