// Package execute proves what a program can have a sandbox do. Go, HTTP, and the run command
// each execute code on demand. Isolated code runs under its capabilities. The tests cover each
// way in which an execution can end.
package execute

import (
	"os"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }
