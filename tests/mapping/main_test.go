// Package mapping proves in three browsers that a policy means what it says: a table of
// mappings from rules to requests, each allowed or blocked by the worker and the browser
// together.
//
// Where to look:
//
//   - mapping_test.go runs the table; rows, rules, hosts and paths are its parts;
//   - explain and vectors hold what Go says of a request against the worker and the engines;
//   - headers: no response is without its policies;
//   - answers, audit, errortext, features, scripts, seen, wider: one promise of the documents
//     each.
package mapping

import (
	"os"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }
