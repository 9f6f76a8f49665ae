// Package files proves how a sandbox serves files. It serves them as a good static server
// would, large files in parts, media that can seek, documents as their author wrote them, and
// loads from elsewhere without CORS. Most tests run with and without the service worker; see
// byeach_test.go.
//
// The benchmarks measure what a change and a first paint cost; docs/push.md has the figures:
//
//	go test ./tests/files -run '^$' -bench 'Push|Asleep' -benchtime 10x
package files

import (
	"os"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }
