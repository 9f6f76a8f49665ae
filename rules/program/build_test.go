package program_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/glob"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/program"
)

// BenchmarkBuild measures building the program of a parsed policy. The metric "x/gobwas" is
// the ratio to the time in which gobwas/glob compiles two globs for each pattern: one for its
// host and one for its path.
func BenchmarkBuild(b *testing.B) {
	for _, size := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			var text strings.Builder
			var globs [][2]string
			text.WriteString("version: 1\nrules:\n")
			for i := range size {
				host, path := fmt.Sprintf("*.h%d.example%d.com", i, i%5_000), fmt.Sprintf("/a/b%d/**", i%97)
				fmt.Fprintf(&text, "- {id: r%d, block: 'https://%s%s'}\n", i, host, path)
				globs = append(globs, [2]string{"*" + host, path})
			}
			policy, err := rules.Parse("policy.yaml", []byte(text.String()))
			if err != nil {
				b.Fatal(err)
			}
			var built *program.Program
			var reference time.Duration
			for b.Loop() {
				if built, err = program.Build(&policy.Policy); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				begin := time.Now()
				for _, g := range globs {
					if _, err := glob.Compile(g[0], '.'); err != nil {
						b.Fatal(err)
					}
					if _, err := glob.Compile(g[1], '/'); err != nil {
						b.Fatal(err)
					}
				}
				reference += time.Since(begin)
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed())/float64(reference), "x/gobwas")
			b.ReportMetric(float64(len(built.Bytes()))/float64(size), "bytes/rule")
		})
	}
}
