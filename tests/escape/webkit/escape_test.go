// Package webkit runs the escape suite in WebKitGTK.
package webkit

import (
	"testing"

	"github.com/bellglass/bellglass/escape"
	"github.com/bellglass/bellglass/tests/internal/escaping"
)

var engine = escaping.Browser{Engine: escape.WebKitGTK, Drive: driveWebKit, Namings: 1}

func TestMain(m *testing.M) { escaping.Main(m) }

func TestWebKitGTK(t *testing.T) { engine.Rows(t) }
