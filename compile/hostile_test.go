package compile_test

import (
	"fmt"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/compile"
)

// A configuration is read in the process itself, so it is small and refers to few files. One that
// is not gets a diagnostic, and the sources are compiled without it.
func TestHostileConfigurations(t *testing.T) {
	var mappings []string
	for i := range 1000 {
		mappings = append(mappings, fmt.Sprintf(`"p%d": []`, i))
	}
	for _, row := range []struct{ name, config, says string }{
		{"too large", strings.Repeat(" ", 65<<10) + "{}", "at most 65536"},
		{"nested", strings.Repeat("[", 64<<10), "at most 10000"},
		{"extends itself", `{"extends": [` + strings.Repeat(`"./tsconfig.json",`, 100) + `]}`, "more than 50 files"},
		{"paths of a pattern", `{"compilerOptions": {"paths": {"*": [""` + strings.Repeat(`,""`, 999) + `]}}}`, "has 1000 entries"},
		{"paths", `{"compilerOptions": {"paths": {` + strings.Join(mappings, ",") + `}}}`, "has 1000 entries"},
	} {
		t.Run(row.name, func(t *testing.T) {
			result, script := compiledBy(t, compile.New(compile.InProcess{}), map[string]string{
				"/tsconfig.json": row.config, "/main.ts": "export const main: number = 1",
			})
			d := result.Diagnostics
			if len(d) != 1 || d[0].File != "/tsconfig.json" || !strings.Contains(d[0].Text, row.says) {
				t.Errorf("%.300v", d)
			}
			if !strings.Contains(script("/main.ts"), "main = 1") {
				t.Errorf("%q", script("/main.ts"))
			}
		})
	}
}

// Many imports of one file with many names need little memory: keys of results do not repeat the
// names.
func TestManyImportsOfManyNames(t *testing.T) {
	var names, imports strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&names, "export const a_long_name_of_a_constant_%d: number = %d\n", i, i)
		fmt.Fprintf(&imports, "import './names?%d'\n", i)
	}
	files := map[string]string{"/names.ts": names.String(), "/main.ts": imports.String()}
	used := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(used)
	before := used[0].Value.Uint64()
	if result, _ := compiledBy(t, compile.New(compile.InProcess{}), files); len(result.Diagnostics) != 0 {
		t.Fatal(result.Diagnostics[0])
	}
	metrics.Read(used)
	if n := used[0].Value.Uint64() - before; n > 150<<20 {
		t.Errorf("the compiler allocates %d MiB", n>>20)
	}
}
