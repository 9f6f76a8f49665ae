// Package files proves how a sandbox serves files: as a good static server would, large ones
// in parts, media that seek, documents as their author wrote them, and loads from elsewhere
// without CORS. Most is tested with the service worker and without it; see byeach_test.go.
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
