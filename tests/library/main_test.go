// Package library proves what an embedder gets: the browser library, and the element
// <bellglass-sandbox> with its events and calls. It also covers the element's size and focus,
// what a page grants, and the example of a third-party service.
package library

import (
	"os"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }
