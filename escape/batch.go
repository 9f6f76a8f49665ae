package escape

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// A Batch is a group of rows that run in one page.
type Batch struct {
	Name string // of its first row
	Rows []Row
}

// room is how many rows share a page.
const room = 10

// Batches groups rows of the same family. Rows that must be alone get a batch each.
func Batches(rows []Row) []Batch {
	rows = slices.Clone(rows)
	sortForBatches(rows)
	var all []Batch
	for _, r := range rows {
		last := len(all) - 1
		if last >= 0 && !r.Alone && !all[last].Rows[0].Alone && all[last].Rows[0].Family == r.Family && len(all[last].Rows) < room {
			all[last].Rows = append(all[last].Rows, r)
			continue
		}
		all = append(all, Batch{r.Name, []Row{r}})
	}
	return all
}

// sortForBatches keeps families together, and within a family the rows that share
// pages.
func sortForBatches(rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int {
		if c := strings.Compare(a.Family, b.Family); c != 0 {
			return c
		}
		switch {
		case a.Alone == b.Alone:
			return strings.Compare(a.Name, b.Name)
		case a.Alone:
			return 1
		}
		return -1
	})
}

// A Target is the canary that a batch's rows try to reach.
type Target struct {
	Port int
	// Allowed is the origin of a host that the sandbox's policy allows. It redirects
	// /redirect?to=URL.
	Allowed string
	// Slow is a domain whose names the policy allows on the port. Its name server takes
	// at least 600 ms to answer.
	Slow string
	// Signal is the origin to which the page sends /ready, /felt, and /done. The policy
	// allows it for fetch only.
	Signal string
	// Host returns a host name of the row's own and its address. The policy may allow
	// GET http://get.{name}:{Port}/** and nothing else of it.
	Host func(Row) (name, address string)
}

// Files returns the virtual files, by path, of a page that runs the batch.
func (b Batch) Files(at Target) (map[string][]byte, error) {
	type entry struct {
		Name    string `json:"name"`
		Module  string `json:"module"`
		Host    string `json:"host"`
		Address string `json:"address"`
	}
	var entries []entry
	for _, r := range b.Rows {
		host, address := at.Host(r)
		entries = append(entries, entry{path.Base(r.Name), r.Module(), host, address})
	}
	list, err := json.Marshal(map[string]any{"rows": entries, "port": at.Port, "allowed": at.Allowed, "slow": at.Slow, "signal": at.Signal})
	if err != nil {
		return nil, fmt.Errorf("the rows of %s: %w", b.Name, err)
	}
	contents := map[string][]byte{"/batch.js": append([]byte("export default "), list...)}
	for _, dir := range []string{"page", "rows/" + b.Rows[0].Family} {
		err := fs.WalkDir(files, dir, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			contents["/"+strings.TrimPrefix(file, "page/")], err = files.ReadFile(file)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return contents, nil
}
