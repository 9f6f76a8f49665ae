// Package execute proves what a program has a sandbox do: code that is run on demand, by Go,
// by HTTP and by the run command, isolated code under its capabilities, and each end that an
// execution can have.
package execute

import (
	"os"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }
