package static_test

import (
	"strings"
	"testing"

	"github.com/bellglass/bellglass/static"
)

// Where the prelude is inserted, and what precedes it.
func TestWithPrelude(t *testing.T) {
	const strict = `"use strict";`
	for _, row := range []struct{ script, before string }{
		{"postMessage(1)", ""},
		{"", ""},
		{"'use strict'\npostMessage(1)", strict},
		{`"use strict";postMessage(1)`, strict},
		{"\ufeff 'use strict'", strict},
		{"// a comment\n/* another\n */ 'use strict'", strict},
		{"'use asm'; \"other\"\n'use strict'", strict},
		{"// 'use strict'", ""},
		{"/* 'use strict'", ""},
		{"'use strict", ""},
		{`'esc\aped'; 'use strict'`, ""},
		{"let a; 'use strict'", ""},
		{"'use strict '", ""},
		{strings.Repeat(" ", 5_000) + "'use strict'", ""},
	} {
		if got, want := string(static.WithPrelude([]byte(row.script), "PRELUDE;")), row.before+"PRELUDE;"+row.script; got != want {
			t.Errorf("%.40q becomes %.60q, want %.60q", row.script, got, want)
		}
	}
	if got := string(static.WithPrelude([]byte("#!/bin/node\n1"), "PRELUDE;")); got != "#!/bin/node\n1" {
		t.Errorf("a script with a hashbang becomes %q", got)
	}
}
