package sandbox

import (
	"sync"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/compile/child"
)

// shared is the compiler of all registries of the program. Registries have nothing to hide from
// each other: results are kept by content. Its child processes end when nobody compiles.
var shared = sync.OnceValue(func() *compile.Compiler { return compile.New(child.New()) })
