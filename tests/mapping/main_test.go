// Package mapping proves in three browsers that a policy means what it says. A table maps
// rules to requests, and the worker and the browser together allow or block each of them.
//
// Where to look:
//
//   - mapping_test.go runs the table. rows, rules, hosts, and paths are its parts;
//   - explain and vectors compare Go's decisions with those of the worker and the engines;
//   - headers: no response lacks its policies;
//   - answers, audit, errortext, features, scripts, seen, and wider each prove one promise of the
//     documents.
package mapping

import (
	"os"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }
