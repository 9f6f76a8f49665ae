// Package compile proves that a browser runs TypeScript, JSX, and imports of other files as people
// write them, with and without the service worker, and that it shows what is wrong with a source.
package compile

import (
	"os"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }
