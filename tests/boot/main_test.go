// Package boot proves how a view begins, continues, and ends. It covers the boot page and its
// repairs, failures that say why, and containment that a policy demands. It also covers
// browsers without a worker, a server that restarts, and the program as a user starts it.
package boot

import (
	"os"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }
