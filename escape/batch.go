package escape

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// A Batch is the rows that run in one page.
type Batch struct {
	Name string // of the first row
	Rows []Row
}

// room is how many rows share a page.
const room = 10

// Batches puts rows of one family together, but those that must be alone.
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

// sortForBatches keeps a family together, and in it those that share pages.
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

// A Target is where a batch's rows try to get to: a canary.
type Target struct {
	Port int
	// Allowed is the origin of a host that the sandbox's policy allows, and that
	// answers /redirect?to=URL with a redirect.
	Allowed string
	// Slow is a domain whose names the policy allows on the port, and whose name server takes
	// at least 600 ms for an answer.
	Slow string
	// Signal is the origin to which the page says /ready, /felt and /done, for fetch
	// alone.
	Signal string
	// Host is a host name of the row's own, and the address that it has. The policy may
	// allow http://get.{name}:{Port}/** with the method GET, and nothing else of it.
	Host func(Row) (name, address string)
}

// Files are the virtual files of a page that runs the batch, by their paths.
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
