// Package load proves that much of something does no harm: a storm of requests, full limits,
// floods of events, real applications at once, and changes that race with loads. In
// readyourwrites_test.go every load sees the newest revision or one after it.
package load

import (
	"os"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }
