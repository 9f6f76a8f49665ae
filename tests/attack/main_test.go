// Package attack runs hostile code in a sandbox, and hostile pages around it. They try to read
// foreign data, to speak in another's name, to frame and hold our pages, and to bring others
// down. What gets out is tested in tests/escape.
//
// Where to look:
//
//   - bare, guard, and secret: code against the worker and its secrets;
//   - outer, race, flood, and containment: messages to the outer frame, in any order and number;
//   - framing and embed: pages around a sandbox, invited or not;
//   - cookies and neighbors: what one sandbox does to another;
//   - badinput: what the program itself rejects.
//
// Each block has a control: the same attempt succeeds without the defense.
package attack

import (
	"os"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }
