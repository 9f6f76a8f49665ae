// Package load proves that large amounts do no harm: a storm of requests, reached limits,
// floods of events, real applications at the same time, and changes that race with loads. In
// readyourwrites_test.go every load sees the newest revision or a later one.
package load

import (
	"os"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }
